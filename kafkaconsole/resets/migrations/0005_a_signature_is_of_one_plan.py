"""A signature is of one plan: the same numbers planned anew are signed anew, and the same person may do it."""

from django.db import migrations, models

from kafkaconsole.triggers import Lift, Refuse

REQUEST, APPROVAL = "resets_resetrequest", "resets_approval"
FALSE_SIGNATURE = (
    "NOT EXISTS (SELECT 1 FROM resets_plan p JOIN resets_resetrequest r ON r.plan_id = p.id"
    " WHERE p.id = NEW.plan_id AND p.digest = NEW.digest AND r.id = NEW.request_id"
    " AND r.plan_digest = NEW.digest AND r.requester_id = NEW.requester_id)"
)
UNSIGNED = (
    "NEW.approved_digest <> '' AND NOT EXISTS (SELECT 1 FROM resets_approval a WHERE a.request_id = NEW.id"
    " AND a.digest = NEW.approved_digest AND a.decision = 'approved')"
)
UNSIGNED_PLAN = (
    "NEW.approved_digest <> '' AND NOT EXISTS (SELECT 1 FROM resets_approval a WHERE a.request_id = NEW.id"
    " AND a.plan_id = NEW.plan_id AND a.digest = NEW.approved_digest AND a.decision = 'approved')"
)
OF_APPROVALS = (
    (
        "approvals_sign_the_plan", APPROVAL, "INSERT",
        "an approval signs the plan, the digest and the requester of its request", FALSE_SIGNATURE,
    ),
    ("approvals_are_not_changed", APPROVAL, "UPDATE", "approvals are not changed: no UPDATE"),
    ("approvals_are_not_deleted", APPROVAL, "DELETE", "approvals are not deleted: no DELETE"),
)  # SQLite builds the table anew for another constraint, and a trigger that names a table would be in the way
OF_REQUESTS = ("requests_are_signed_by_approvals", REQUEST, "UPDATE", "no approval signs this digest")


class Migration(migrations.Migration):
    dependencies = [("resets", "0004_batches")]
    operations = [
        Lift(*OF_REQUESTS, UNSIGNED),
        *(Lift(*one) for one in OF_APPROVALS),
        migrations.RemoveConstraint("approval", "one_signature_per_person_and_plan"),
        migrations.AddConstraint(
            "approval",
            models.UniqueConstraint(fields=("request", "plan", "by"), name="one_signature_per_person_and_plan"),
        ),
        *(Refuse(*one) for one in OF_APPROVALS),
        Refuse(*OF_REQUESTS, UNSIGNED_PLAN),
    ]
