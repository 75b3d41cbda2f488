"""What every test may ask for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils import translation

from tests import triggers
from tests.nudges import sent
from tests.scene import cast, kafka, scene
from tests.workers import broker, pytest_collection_modifyitems, start_worker, valkey

__all__ = [
    "broker",
    "cast",
    "kafka",
    "pytest_collection_modifyitems",
    "scene",
    "sent",
    "start_worker",
    "valkey",
]

triggers.let_flush_pass()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    tmp_path_factory: pytest.TempPathFactory, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    """SQLite in a file, as the product has it: in memory its threads share one cache, and locks do not wait there."""
    for database in settings.DATABASES.values():
        if database["ENGINE"].endswith("sqlite3"):
            database.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture(autouse=True)
def _language_ends_with_the_test() -> Iterator[None]:
    """Django leaves a thread in the language of the last answer; the next test begins in English."""
    yield
    translation.deactivate()
