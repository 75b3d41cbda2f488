"""A policy's pattern may be as long as a group's name, and no longer."""

from typing import Any

from django.db import migrations, models

from kafkaconsole.triggers import Refuse

TOO_LONG = "length(NEW.group_pattern) > 512"
SAYS = "a group pattern is no longer than a name of a group: 512 characters"


class Widen(migrations.AlterField):
    """SQLite columns hold texts of any length: there only the state changes, and no table is built anew, which would
    cost the triggers on it and break those that other apps have made upon it."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Alter the column, on PostgreSQL."""
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):
    dependencies = [("approvals", "0004_second_administrator")]
    operations = [
        Widen("policyversion", "group_pattern", models.CharField(blank=True, max_length=512)),
        Refuse("group_patterns_are_names", "approvals_policyversion", "INSERT", SAYS, TOO_LONG),
    ]
