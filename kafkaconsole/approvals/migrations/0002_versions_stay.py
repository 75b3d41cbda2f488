"""A version of a policy is what it was: plans name it for good."""

from django.db import migrations

from kafkaconsole.triggers import Refuse

VERSION, NEED = "approvals_policyversion", "approvals_need"
IN_FORCE = "EXISTS (SELECT 1 FROM approvals_policy p WHERE p.current_id = NEW.version_id)"


class Migration(migrations.Migration):
    dependencies = [("approvals", "0001_initial")]
    operations = [
        Refuse("policy_versions_are_not_changed", VERSION, "UPDATE", "policy versions are not changed: no UPDATE"),
        Refuse("policy_versions_are_not_deleted", VERSION, "DELETE", "policy versions are not deleted: no DELETE"),
        Refuse("needs_are_not_changed", NEED, "UPDATE", "what a policy needs is not changed: no UPDATE"),
        Refuse("needs_are_not_deleted", NEED, "DELETE", "what a policy needs is not deleted: no DELETE"),
        Refuse("needs_come_with_their_version", NEED, "INSERT", "this version is in force: no further needs", IN_FORCE),
    ]
