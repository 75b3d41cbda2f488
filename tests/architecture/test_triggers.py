"""SQLite loses a table's triggers when a migration alters the table: after all migrations each must be there."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from kafkaconsole.triggers import Lift, Refuse


@pytest.mark.django_db
def test_every_trigger_that_a_migration_made_is_there() -> None:
    loader = MigrationLoader(connection)
    operations = [one for migration in loader.disk_migrations.values() for one in migration.operations]
    made = Counter(one.name for one in operations if isinstance(one, Refuse) and not isinstance(one, Lift))
    named = set(made - Counter(one.name for one in operations if isinstance(one, Lift)))
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        else:
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
        found = {name for (name,) in cursor.fetchall()}
    assert len(named) >= 14
    assert named <= found
