"""Approvals can be taken back before they are carried out; what was taken back does not count (docs/decisions/0052)."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from kafkaconsole.triggers import Lift, Refuse

REQUEST, APPROVAL, WITHDRAWAL = "resets_resetrequest", "resets_approval", "resets_withdrawal"
SIGNATURES = (
    "(SELECT COUNT(*) FROM resets_approval a WHERE a.request_id = NEW.id AND a.plan_id = NEW.plan_id"
    " AND a.digest = NEW.approved_digest AND a.decision = 'approved')"
)
STANDING = (
    "(SELECT COUNT(*) FROM resets_approval a WHERE a.request_id = NEW.id AND a.plan_id = NEW.plan_id"
    " AND a.digest = NEW.approved_digest AND a.decision = 'approved'"
    " AND NOT EXISTS (SELECT 1 FROM resets_withdrawal w WHERE w.approval_id = a.id))"
)
NEEDED = (
    "(SELECT CASE WHEN p.policy_version_id IS NULL THEN 1 ELSE"
    " (SELECT COALESCE(SUM(n.count), 0) FROM approvals_need n WHERE n.version_id = p.policy_version_id) END"
    " FROM resets_plan p WHERE p.id = NEW.plan_id)"
)
ENOUGH = ("requests_are_signed_by_approvals", REQUEST, "UPDATE", "too few approvals sign this digest")
TOO_LATE = (
    "EXISTS (SELECT 1 FROM resets_approval a JOIN resets_resetrequest r ON r.id = a.request_id"
    " WHERE a.id = NEW.approval_id AND (a.decision <> 'approved' OR r.state NOT IN ('planned', 'approved', 'waiting')))"
)


class Migration(migrations.Migration):
    dependencies = [("resets", "0008_leases")]
    operations = [
        migrations.CreateModel(
            "Withdrawal",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("comment", models.TextField(blank=True)),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "approval",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="withdrawal", to="resets.approval"
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
        Lift(*ENOUGH, f"NEW.approved_digest <> '' AND {SIGNATURES} < COALESCE({NEEDED}, 1)"),
        Refuse(*ENOUGH, f"NEW.approved_digest <> '' AND {STANDING} < COALESCE({NEEDED}, 1)"),
        Refuse("approvals_are_taken_back_in_time", WITHDRAWAL, "INSERT", "this approval cannot be taken back", TOO_LATE),
        Refuse("withdrawals_are_not_changed", WITHDRAWAL, "UPDATE", "withdrawals are not changed: no UPDATE"),
        Refuse("withdrawals_are_not_deleted", WITHDRAWAL, "DELETE", "withdrawals are not deleted: no DELETE"),
    ]
