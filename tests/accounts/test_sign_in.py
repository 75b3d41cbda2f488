"""Signing in as a stranger tries it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import factories


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "password"), [("a" * 60_000, "x"), ("alice", "x" * 60_000), ("al\0ice", "x")])
def test_what_is_no_name_or_password_is_told_on_the_page(name: str, password: str) -> None:
    answer = Client().post("/accounts/login/", {"login": name, "password": password})
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert "_auth_user_id" not in answer.wsgi_request.session


def test_a_sign_in_opens_the_console(cast: factories.Cast) -> None:
    cast.alice.set_password("long enough for alice")
    cast.alice.save()
    client = Client()
    answer = client.post("/accounts/login/", {"login": "alice", "password": "long enough for alice"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert client.get("/").status_code == 200
