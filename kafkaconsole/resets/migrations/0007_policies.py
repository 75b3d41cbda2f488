"""A plan names its policy, and the database counts signatures by it (docs/decisions/0050)."""

import django.db.models.deletion
from django.db import migrations, models

from kafkaconsole.triggers import Lift, Refuse

REQUEST, APPROVAL = "resets_resetrequest", "resets_approval"
UNSIGNED_PLAN = (
    "NEW.approved_digest <> '' AND NOT EXISTS (SELECT 1 FROM resets_approval a WHERE a.request_id = NEW.id"
    " AND a.plan_id = NEW.plan_id AND a.digest = NEW.approved_digest AND a.decision = 'approved')"
)
SIGNATURES = (
    "(SELECT COUNT(*) FROM resets_approval a WHERE a.request_id = NEW.id AND a.plan_id = NEW.plan_id"
    " AND a.digest = NEW.approved_digest AND a.decision = 'approved')"
)
NEEDED = (
    "(SELECT CASE WHEN p.policy_version_id IS NULL THEN 1 ELSE"
    " (SELECT COALESCE(SUM(n.count), 0) FROM approvals_need n WHERE n.version_id = p.policy_version_id) END"
    " FROM resets_plan p WHERE p.id = NEW.plan_id)"
)
TOO_FEW = f"NEW.approved_digest <> '' AND {SIGNATURES} < COALESCE({NEEDED}, 1)"
OWN_SIGNATURE = (
    "NEW.requester_allowed AND NOT EXISTS (SELECT 1 FROM resets_plan p JOIN approvals_policyversion v"
    " ON v.id = p.policy_version_id WHERE p.id = NEW.plan_id AND v.requester_may_count)"
)
OF_REQUESTS = ("requests_are_signed_by_approvals", REQUEST, "UPDATE", "no approval signs this digest")
ENOUGH = ("requests_are_signed_by_approvals", REQUEST, "UPDATE", "too few approvals sign this digest")


class Migration(migrations.Migration):
    dependencies = [("approvals", "0002_versions_stay"), ("resets", "0006_what_was_done_stays")]
    operations = [
        migrations.AddField(
            "plan",
            "policy_version",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="plans",
                to="approvals.policyversion",
            ),
        ),
        migrations.AddField("plan", "risk", models.JSONField(blank=True, null=True)),
        Lift(*OF_REQUESTS, UNSIGNED_PLAN),
        Refuse(*ENOUGH, TOO_FEW),
        Refuse(
            "requesters_sign_by_policy", APPROVAL, "INSERT",
            "the policy does not let the requester sign", OWN_SIGNATURE,
        ),
    ]
