"""Rules that only a trigger can hold, as migration operations: the same rule on SQLite and on PostgreSQL.

SQLite rebuilds a table when a later migration alters it, and its triggers are gone then: such a migration must
make them again. A test compares the triggers of a migrated database with those that the migrations name.
"""

from __future__ import annotations

from typing import Any

from django.db.migrations.operations.base import Operation

_SQLITE = """
CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW WHEN {when}
BEGIN SELECT RAISE(ABORT, '{says}'); END
"""
_POSTGRESQL = """
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF {when} THEN RAISE EXCEPTION '{says}' USING ERRCODE = 'integrity_constraint_violation'; END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $body$;
CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}();
"""


class Refuse(Operation):
    """Refuse INSERT, UPDATE or DELETE of rows for which `when` (SQL that both databases read) is true.

    The refusal reaches Python as `django.db.IntegrityError` with the text `says`.
    """

    reversible = True

    def __init__(self, name: str, table: str, event: str, says: str, when: str = "1 = 1") -> None:
        self.name, self.table, self.event, self.says, self.when = name, table, event, says, when

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """For the migration's own record."""
        return type(self).__name__, [self.name, self.table, self.event, self.says, self.when], {}

    def state_forwards(self, app_label: str, state: Any) -> None:
        """No model changes."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Make the trigger."""
        form = _SQLITE if schema_editor.connection.vendor == "sqlite" else _POSTGRESQL
        says = self.says.replace("'", "''")
        sql = form.format(name=self.name, table=self.table, event=self.event, says=says, when=self.when)
        schema_editor.execute(sql, params=None)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Drop the trigger."""
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.execute(f"DROP TRIGGER {self.name}", params=None)
        else:
            schema_editor.execute(f"DROP TRIGGER {self.name} ON {self.table}; DROP FUNCTION {self.name}()", params=None)

    def describe(self) -> str:
        """One line for `migrate --plan`."""
        return f"Refuse {self.event} on {self.table}: {self.says}"


class Lift(Refuse):
    """Take a trigger down again, told as it was made: for a migration that alters its table and then makes it anew."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Drop the trigger."""
        super().database_backwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Make the trigger."""
        super().database_forwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """One line for `migrate --plan`."""
        return f"No longer refuse {self.event} on {self.table}: {self.says}"
