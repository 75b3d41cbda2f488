"""`manage.py createadmin`: the first person of an installation."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from kafkaconsole.accounts.models import User


def _make(tmp_path: Path, password: str, name: str = "grace") -> str:
    file = tmp_path / "password"
    file.write_text(password + "\n", encoding="utf-8")
    out = StringIO()
    call_command("createadmin", name, "--name", "Grace", "--password-file", str(file), stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_an_administrator_is_made_who_can_sign_in(tmp_path: Path) -> None:
    assert "grace is an administrator" in _make(tmp_path, "correct horse battery")
    user = User.objects.get()
    assert (user.is_administrator, user.name, user.check_password("correct horse battery")) == (True, "Grace", True)


@pytest.mark.django_db
@pytest.mark.parametrize("password", ["short", "password1234", "1234567890"])
def test_a_weak_password_is_refused_with_the_reason(tmp_path: Path, password: str) -> None:
    with pytest.raises(CommandError, match="password"):
        _make(tmp_path, password)
    assert not User.objects.exists()


@pytest.mark.django_db
def test_a_taken_name_is_refused(tmp_path: Path) -> None:
    _make(tmp_path, "correct horse battery")
    with pytest.raises(CommandError, match="already exists"):
        _make(tmp_path, "correct horse battery")


@pytest.mark.django_db
def test_a_missing_password_file_is_named() -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("createadmin", "grace", "--password-file", "/nowhere/at/all")
