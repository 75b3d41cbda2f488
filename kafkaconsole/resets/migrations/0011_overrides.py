"""Windows set aside and glass broken, for one plan each: kept for good, and counted (docs/decisions/0053)."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from kafkaconsole.triggers import Lift, Refuse

REQUEST, OVERRIDE = "resets_resetrequest", "resets_override"
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
TOO_FEW = f"NEW.approved_digest <> '' AND {STANDING} < COALESCE({NEEDED}, 1)"
NO_GLASS = (
    "NOT EXISTS (SELECT 1 FROM resets_override o WHERE o.request_id = NEW.id AND o.plan_id = NEW.plan_id"
    " AND o.kind = 'glass')"
)
FALSE_OVERRIDE = (
    "NOT EXISTS (SELECT 1 FROM resets_resetrequest r WHERE r.id = NEW.request_id AND r.plan_id = NEW.plan_id)"
    " OR (NEW.kind = 'glass' AND NOT EXISTS (SELECT 1 FROM resets_plan p"
    " JOIN approvals_policyversion v ON v.id = p.policy_version_id"
    " JOIN resets_resetrequest r ON r.plan_id = p.id"
    " WHERE p.id = NEW.plan_id AND r.id = NEW.request_id AND v.break_glass AND r.requester_id <> NEW.by_id))"
)
ENOUGH = ("requests_are_signed_by_approvals", REQUEST, "UPDATE", "too few approvals sign this digest")


class Migration(migrations.Migration):
    dependencies = [
        ("approvals", "0003_break_glass"),
        ("resets", "0010_watched_since"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            "Override",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("window", "window"), ("glass", "glass")], max_length=8)),
                ("reason", models.TextField()),
                ("at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="overrides", to="resets.plan"
                    ),
                ),
                (
                    "request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="overrides", to="resets.resetrequest"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("plan", "kind"), name="one_override_of_a_kind_per_plan"),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="an_override_gives_a_reason"
                    ),
                ],
            },
        ),
        Lift(*ENOUGH, TOO_FEW),
        Refuse(*ENOUGH, f"{TOO_FEW} AND {NO_GLASS}"),
        Refuse("overrides_are_of_the_plan", OVERRIDE, "INSERT", "the policy does not let this be set aside", FALSE_OVERRIDE),
        Refuse("overrides_are_not_changed", OVERRIDE, "UPDATE", "overrides are not changed: no UPDATE"),
        Refuse("overrides_are_not_deleted", OVERRIDE, "DELETE", "overrides are not deleted: no DELETE"),
    ]
