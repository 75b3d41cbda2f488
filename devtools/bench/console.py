"""The console inside a measuring process: Django with an empty database, and a cluster's row."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kafkaconsole.clusters.models import Cluster


def set_up(database_url: str) -> None:
    """Django with the product's settings on this database, which is migrated; only errors are logged from here on."""
    os.environ.setdefault("SECRET_KEY", "bench-only")
    os.environ.setdefault("AUDIT_KEY", "bench-only")
    os.environ.setdefault("FIELD_KEYS", "YmVuY2gtb25seS1maWVsZC1rZXktMDEyMzQ1Njc4OTA=")
    os.environ["DATABASE_URL"] = database_url
    os.environ["DJANGO_SETTINGS_MODULE"] = "kafkaconsole.settings"
    import logging

    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.ALLOWED_HOSTS = ["testserver"]
    logging.disable(logging.WARNING)
    call_command("migrate", verbosity=0)


def sqlite(folder: Path) -> str:
    """The address of a new SQLite database in this folder."""
    return f"sqlite:///{folder / 'bench.sqlite3'}"


def cluster(bootstrap_servers: str) -> Cluster:
    """The row of a registered cluster named "bench"; made once."""
    from kafkaconsole.clusters.models import Cluster, Environment

    environment, _ = Environment.objects.get_or_create(slug="bench", name="Bench", is_production=False)
    known = {"title": "Bench", "environment": environment, "bootstrap_servers": bootstrap_servers}
    row, _ = Cluster.objects.get_or_create(name="bench", defaults=known)
    return row
