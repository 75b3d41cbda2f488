"""The table of the database cache, so that no further command is needed after `migrate`."""

from django.core.management import call_command
from django.db import migrations


def create(apps, schema_editor):
    """Does nothing where the table is there already, or where the cache lives elsewhere."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


def keep(apps, schema_editor):
    """A cache may stay."""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunPython(create, keep)]
