"""What probes see."""

from __future__ import annotations

import pytest
from django.db import OperationalError, connection
from django.test import Client


@pytest.mark.django_db
def test_healthz_needs_no_sign_in(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_healthz_says_when_the_database_does_not_answer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(connection, "cursor", refuse)
    assert client.get("/healthz").status_code == 503
