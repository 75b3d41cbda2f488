"""Setting a rule aside for one plan, with a reason and a mark that stays (docs/decisions/0053)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.accounts import second_factors
from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.resets import policies
from kafkaconsole.resets.models import Override, OverrideKind, ResetRequest
from kafkaconsole.resets.refusals import BadRequest, DigestOutdated
from kafkaconsole.resets.states import State
from kafkaconsole.words import words

LONGEST_REASON = 4000
LEAST_REASON = 10


@transaction.atomic
def set_windows_aside(*, request: ResetRequest, by: User, seen_digest: str, reason: str) -> ResetRequest:
    """Let an approved plan be carried out although it is closed. Raises NotAllowed, DigestOutdated, BadRequest."""
    row = ResetRequest.objects.select_for_update().get(pk=request.pk)
    policies.may_set_windows_aside(by, row).require()
    _record(row, by, OverrideKind.WINDOW, seen_digest, reason)
    ResetRequest.objects.filter(pk=row.pk, state=row.state).update(nudge_at=timezone.now(), holder=None)
    nudge.after_commit(nudge.Nudge.EXECUTE, request_id=row.pk)
    row.refresh_from_db()
    return row


def break_glass(
    *, request: ResetRequest, by: User, seen_digest: str, reason: str, password: str, code: str = ""
) -> ResetRequest:
    """Have a plan carried out without its signatures, in an emergency and at once.

    `password`, and where the person has a second factor its `code`, are typed anew, so that an open browser alone breaks
    no glass. Raises NotAllowed, DigestOutdated, BadRequest.
    """
    policies.may_break_glass(by, request).require()
    second_factors.confirm(by, password=password, code=code)
    return _break_glass(request, by, seen_digest, reason)


@transaction.atomic
def _break_glass(request: ResetRequest, by: User, seen_digest: str, reason: str) -> ResetRequest:
    row = ResetRequest.objects.select_for_update().get(pk=request.pk)
    policies.may_break_glass(by, row).require()
    made = _record(row, by, OverrideKind.GLASS, seen_digest, reason)
    ResetRequest.objects.filter(pk=row.pk, plan=row.plan_id).move(
        State.PLANNED, State.APPROVED, approved_digest=seen_digest, tries=0, problem=None, nudge_at=timezone.now()
    )
    nudge.after_commit(nudge.Nudge.EXECUTE, request_id=row.pk)
    facts = {"digest": seen_digest, "reason": made.reason}
    audit.record("reset.glass_broken", actor=by, target=row, facts=facts)
    row.refresh_from_db()
    return row


def _record(row: ResetRequest, by: User, kind: OverrideKind, seen_digest: str, reason: str) -> Override:
    if row.plan_digest != seen_digest:
        raise DigestOutdated(seen=seen_digest, current=row.plan_digest or None)
    text = reason.strip()
    if not LEAST_REASON <= len(text) <= LONGEST_REASON or "\0" in text:
        expected = words("{least} to {most} characters", least=LEAST_REASON, most=LONGEST_REASON)
        raise BadRequest(field="reason", found=words("{count} characters", count=len(text)), expected=expected)
    made = Override.objects.create(request=row, plan=row.the_plan, kind=kind, by=by, reason=text, at=timezone.now())
    if kind is OverrideKind.WINDOW:
        audit.record("reset.window_set_aside", actor=by, target=row, facts={"digest": seen_digest, "reason": text})
    return made
