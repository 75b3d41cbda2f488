"""Taking one's own approval back, as long as nobody carries the request out."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.resets import governing, mentions, policies
from kafkaconsole.resets.models import ResetRequest, Withdrawal
from kafkaconsole.resets.refusals import BadRequest, DigestOutdated
from kafkaconsole.resets.states import State

LONGEST_COMMENT = 4000


@transaction.atomic
def withdraw(*, request: ResetRequest, by: User, seen_digest: str, comment: str = "") -> ResetRequest:
    """Take back one's approval of the plan with this digest. With too few left the request is *planned* again.

    Raises NotAllowed, also once a worker has begun; DigestOutdated where the plan is another.
    """
    row = ResetRequest.objects.select_for_update().get(pk=request.pk)
    policies.may_withdraw(by, row).require()
    if row.plan_digest != seen_digest:
        raise DigestOutdated(seen=seen_digest, current=row.plan_digest or None)
    text = comment.strip()
    if len(text) > LONGEST_COMMENT or "\0" in text:
        expected = f"at most {LONGEST_COMMENT} characters"
        raise BadRequest(field="comment", found=f"{len(text)} characters", expected=expected)
    mine = next(one for one in governing.approvals_of(row) if one.by_id == by.pk)
    version = governing.version_of(row)
    weighed = governing.weigh(row, version, without=mine)
    if weighed.given < weighed.needed and row.state != State.PLANNED:
        rows = ResetRequest.objects.filter(pk=row.pk, plan=row.plan_id)
        rows.move(State(row.state), State.PLANNED, approved_digest="", problem=None, nudge_at=None)
    Withdrawal.objects.create(approval=mine, comment=text, at=timezone.now())
    facts = {"digest": seen_digest, "approval": mine.pk, "given": weighed.given, "needed": weighed.needed}
    audit.record("reset.withdrawn", actor=by, target=row, facts=facts | mentions.facts_of(text, row))
    row.refresh_from_db()
    return row
