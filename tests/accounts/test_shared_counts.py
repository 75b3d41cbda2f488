"""Limits are counted once for all web processes, in a real Valkey."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from pytest_django.fixtures import Settings

from devtools.servers.valkey import Valkey
from kafkaconsole import settings as console_settings
from tests.factories import PASSWORD, Cast

ROOT = Path(__file__).resolve().parents[2]
GUESS = """
import os, sys, django
os.environ["DJANGO_SETTINGS_MODULE"] = "kafkaconsole.settings"
django.setup()
from kafkaconsole.accounts import second_factors
from kafkaconsole.accounts.models import User
from kafkaconsole.errors import NotAllowed
for _ in range(int(sys.argv[1])):
    try:
        second_factors.confirm(User(pk=7, username="bob", password="!"), password="guess", code="")
    except NotAllowed as refused:
        print(refused.facts["reason"])
"""


@pytest.fixture(scope="module")
def valkey() -> Iterator[Valkey]:
    """A Valkey of our own."""
    with Valkey() as server:
        yield server


def guess(valkey: Valkey, times: int) -> list[str]:
    """What a process of its own is told when it guesses so often."""
    command = [sys.executable, "-c", GUESS, str(times)]
    environment = os.environ | {"CACHE_URL": valkey.url}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=True)  # noqa: S603
    return done.stdout.splitlines()


def test_two_processes_share_one_count_of_guesses(valkey: Valkey) -> None:
    assert guess(valkey, 5) == ["That is not your password. Nothing was done."] * 5
    assert guess(valkey, 1) == ["Too many attempts to confirm failed. Wait five minutes and try again."]


def test_failed_sign_ins_are_counted_there(valkey: Valkey, cast: Cast, settings: Settings) -> None:
    settings.CACHES = {"default": console_settings.cache(valkey.url)}
    for _ in range(5):
        Client().post("/accounts/login/", {"login": "bob", "password": "wrong"})
    answer = Client().post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert "Too many attempts to sign in failed" in answer.content.decode()
    cache.clear()
    assert Client().post("/accounts/login/", {"login": "bob", "password": PASSWORD}).status_code == 302


def test_api_calls_are_counted_there(valkey: Valkey, cast: Cast, client: Client, settings: Settings) -> None:
    settings.CACHES = {"default": console_settings.cache(valkey.url)}
    settings.API_CALLS_PER_MINUTE = 1
    client.force_login(cast.bob)
    # The window is a minute of the clock, so of three calls one at least follows another within it.
    assert 429 in [client.get("/api/v1/requests").status_code for _ in range(3)]


def test_without_an_address_the_database_counts() -> None:
    assert console_settings.cache("")["BACKEND"].endswith("db.DatabaseCache")


def test_an_address_of_another_kind_stops_the_boot() -> None:
    with pytest.raises(ImproperlyConfigured, match="CACHE_URL must begin with"):
        console_settings.cache("memcached://cache:11211")
