"""SQLite loses a table's triggers when a migration alters the table: after all migrations each must be there."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from kafkaconsole.triggers import Refuse


@pytest.mark.django_db
def test_every_trigger_that_a_migration_made_is_there() -> None:
    loader = MigrationLoader(connection)
    named = {
        one.name
        for migration in loader.disk_migrations.values()
        for one in migration.operations
        if isinstance(one, Refuse)
    }
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        else:
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
        found = {name for (name,) in cursor.fetchall()}
    assert len(named) >= 14
    assert named <= found
