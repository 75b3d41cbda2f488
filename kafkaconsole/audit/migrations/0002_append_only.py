"""The record only grows: no event is changed, none is deleted."""

from django.db import migrations

from kafkaconsole.triggers import Refuse

TABLE = "audit_auditevent"


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]
    operations = [
        Refuse("audit_events_are_not_changed", TABLE, "UPDATE", "audit events are append-only: no UPDATE"),
        Refuse("audit_events_are_not_deleted", TABLE, "DELETE", "audit events are append-only: no DELETE"),
    ]
