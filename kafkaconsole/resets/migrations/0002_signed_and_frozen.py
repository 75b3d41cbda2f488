"""What a signature rests on cannot move: plans are frozen, approvals are what they say (design §2.1 and 2.2)."""

from django.db import migrations

from kafkaconsole.triggers import Refuse

PLAN, LINE, REQUEST, APPROVAL = "resets_plan", "resets_planline", "resets_resetrequest", "resets_approval"

OF_A_REQUEST = "EXISTS (SELECT 1 FROM resets_plan p WHERE p.id = OLD.plan_id AND p.request_id IS NOT NULL)"
IN_USE = "EXISTS (SELECT 1 FROM resets_resetrequest r WHERE r.plan_id = NEW.plan_id)"
FALSE_SIGNATURE = (
    "NOT EXISTS (SELECT 1 FROM resets_plan p JOIN resets_resetrequest r ON r.plan_id = p.id"
    " WHERE p.id = NEW.plan_id AND p.digest = NEW.digest AND r.id = NEW.request_id"
    " AND r.plan_digest = NEW.digest AND r.requester_id = NEW.requester_id)"
)
UNSIGNED = (
    "NEW.approved_digest <> '' AND NOT EXISTS (SELECT 1 FROM resets_approval a WHERE a.request_id = NEW.id"
    " AND a.digest = NEW.approved_digest AND a.decision = 'approved')"
)
ANOTHER_PLAN = (
    "NEW.plan_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM resets_plan p WHERE p.id = NEW.plan_id"
    " AND p.digest = NEW.plan_digest AND p.request_id = NEW.id)"
)
ANOTHER_WISH = (
    "NEW.requester_id <> OLD.requester_id OR NEW.cluster_id <> OLD.cluster_id OR NEW.team_id <> OLD.team_id"
    " OR NEW.group_name <> OLD.group_name"
)


class Migration(migrations.Migration):
    dependencies = [("resets", "0001_initial")]
    operations = [
        Refuse("plans_are_frozen", PLAN, "UPDATE", "plans are frozen: no UPDATE"),
        Refuse(
            "plans_of_requests_stay", PLAN, "DELETE", "a request has this plan: no DELETE", "OLD.request_id IS NOT NULL"
        ),
        Refuse("plan_lines_are_frozen", LINE, "UPDATE", "plan lines are frozen: no UPDATE"),
        Refuse("plan_lines_of_requests_stay", LINE, "DELETE", "a request has this plan: no DELETE", OF_A_REQUEST),
        Refuse("plans_get_no_further_lines", LINE, "INSERT", "a request has this plan: no further lines", IN_USE),
        Refuse(
            "approvals_sign_the_plan", APPROVAL, "INSERT",
            "an approval signs the plan, the digest and the requester of its request", FALSE_SIGNATURE,
        ),
        Refuse("approvals_are_not_changed", APPROVAL, "UPDATE", "approvals are not changed: no UPDATE"),
        Refuse("approvals_are_not_deleted", APPROVAL, "DELETE", "approvals are not deleted: no DELETE"),
        Refuse("new_requests_are_unsigned", REQUEST, "INSERT", "a new request has no approval", "NEW.approved_digest <> ''"),
        Refuse("requests_are_signed_by_approvals", REQUEST, "UPDATE", "no approval signs this digest", UNSIGNED),
        Refuse("requests_have_their_own_plan", REQUEST, "UPDATE", "this plan is not the request's own", ANOTHER_PLAN),
        Refuse("requests_keep_what_they_are_about", REQUEST, "UPDATE", "a request keeps requester, team and group", ANOTHER_WISH),
    ]
