"""SQLite has no TRUNCATE: a flush between tests would be refused by our append-only triggers.

So a flush there takes the triggers down, deletes, and puts them up again, in the flush's own transaction. This is in
the tests alone: in the product nothing takes a trigger down.
"""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.backends.sqlite3 import base  # noqa: F401  first: Django's two modules import each other
from django.db.backends.sqlite3.operations import DatabaseOperations

_flush = DatabaseOperations.sql_flush


def _sql_flush(self: DatabaseOperations, *args: Any, **kwargs: Any) -> list[str]:
    deletes = _flush(self, *args, **kwargs)
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
    down = [f"DROP TRIGGER {name}" for name, _ in triggers]
    return [*down, *deletes, *(sql for _, sql in triggers)] if deletes else []


def let_flush_pass() -> None:
    """Called once, before tests run."""
    DatabaseOperations.sql_flush = _sql_flush  # type: ignore[method-assign, assignment]
