"""A pytest plugin: it sees what each test needs and marks it so, and keeps workers side by side apart.

Marks given here: `database`, `kafka`, `browser` from the fixtures a test asks for, and `unit` for a test that needs nothing.
Under CI=true a skipped test is a failed test: nothing may be left out for want of a server.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

# Marks that tests carry or get here, and that make a test more than a plain unit test.
NEEDS = ("database", "kafka", "browser", "celery_worker", "server", "long")
_DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup", "live_server", "client", "admin_client"}
_BROWSER_FIXTURES = {"page", "browser", "context", "browser_context"}
_VALKEY_DATABASES = 16


def own_database(broker_url: str, worker: str) -> str:
    """Give the worker a database number of its own in the shared Valkey: `redis://host:port/0`, "gw3" → `…/3`."""
    address, _, _ = broker_url.rpartition("/")
    return f"{address}/{int(worker.removeprefix('gw')) % _VALKEY_DATABASES}"


# Loaded by `-p`, so this runs before Django reads its settings.
if "PYTEST_XDIST_WORKER" in os.environ and "CELERY_BROKER_URL" in os.environ:
    os.environ["CELERY_BROKER_URL"] = own_database(os.environ["CELERY_BROKER_URL"], os.environ["PYTEST_XDIST_WORKER"])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test by what it needs, before pytest chooses by marks."""
    for item in items:
        for mark in needs(item):
            item.add_marker(mark)
        if not any(item.get_closest_marker(name) for name in NEEDS):
            item.add_marker("unit")


def needs(item: pytest.Item) -> list[str]:
    """Give the marks that follow from the fixtures of a test, besides those it carries already."""
    fixtures = set(getattr(item, "fixturenames", ()))
    found = {
        "database": bool(fixtures & _DATABASE_FIXTURES) or item.get_closest_marker("django_db") is not None,
        "kafka": any(name.startswith(("kafka_", "breakable_")) for name in fixtures),
        "browser": bool(fixtures & _BROWSER_FIXTURES),
    }
    return [name for name, is_needed in found.items() if is_needed and item.get_closest_marker(name) is None]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Under CI=true, turn a skip into a failure that repeats its reason."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"Nothing may be skipped under CI=true, yet this test was: {report.longrepr}"
    return report
