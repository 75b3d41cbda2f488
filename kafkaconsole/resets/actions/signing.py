"""Signing: an approver says yes or no to the one plan that they saw."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.accounts.models import User
from kafkaconsole.approvals.errors import ApprovalTooOld
from kafkaconsole.approvals.quorum import Weighed
from kafkaconsole.audit import actions as audit
from kafkaconsole.resets import governing, lapses, mentions, policies
from kafkaconsole.resets.models import Approval, Decision, ResetRequest, Withdrawal
from kafkaconsole.resets.refusals import (
    BadRequest,
    CommentNeeded,
    DecidedOtherwise,
    DigestOutdated,
    TakenBack,
    WrongState,
)
from kafkaconsole.resets.states import State

LONGEST_COMMENT = 4000


@transaction.atomic
def approve(*, request: ResetRequest, by: User, seen_digest: str, comment: str = "") -> ResetRequest:
    """Sign the plan with this digest; with the last signature needed the request is approved and a worker is told.

    The same person approving the same plan again changes nothing. Raises NotAllowed, DigestOutdated, TakenBack, WrongState.
    """
    row = _locked(request)
    if _said(row, by, seen_digest, Decision.APPROVED):
        return _again(row, by)
    _check(row, by, seen_digest, "approve")
    if trouble := lapses.too_old(row):
        raise ApprovalTooOld.of(trouble)
    stood_for = _stood_for(by, row)
    approval = _sign(row, by, Decision.APPROVED, _text(comment))
    weighed = reach_quorum(row)
    facts = {"digest": seen_digest, "approval": approval.pk, "given": weighed.given, "needed": weighed.needed}
    audit.record(
        "reset.approved", actor=by, target=row, facts=facts | stood_for | mentions.facts_of(approval.comment, row)
    )
    row.refresh_from_db()
    return row


@transaction.atomic
def reject(*, request: ResetRequest, by: User, seen_digest: str, comment: str) -> ResetRequest:
    """Say no to the plan with this digest, and why; that ends the request. Raises like `approve`, and CommentNeeded."""
    row = _locked(request)
    if _said(row, by, seen_digest, Decision.REJECTED):
        return row
    _check(row, by, seen_digest, "reject")
    text = _text(comment)
    if not text:
        raise CommentNeeded(field="comment")
    stood_for = _stood_for(by, row)
    approval = _sign(row, by, Decision.REJECTED, text)
    ResetRequest.objects.filter(pk=row.pk, plan_digest=seen_digest).move(State.PLANNED, State.REJECTED, nudge_at=None)
    facts = {"digest": seen_digest, "approval": approval.pk} | stood_for | mentions.facts_of(text, row)
    audit.record("reset.rejected", actor=by, target=row, facts=facts)
    row.refresh_from_db()
    return row


def _stood_for(by: User, row: ResetRequest) -> dict[str, object]:
    """For the record: for whom somebody signs, where not in their own name."""
    given = governing.stands_for(by, row, governing.version_of(row))
    if given is None:
        return {}
    return {"stands_for": {"user": given.by.username, "name": str(given.by), "until": given.ends_at}}


def _again(row: ResetRequest, by: User) -> ResetRequest:
    """A signature that is there already. It may count again by now: its signer has the role back."""
    if row.state == State.PLANNED and policies.may_sign_for(by, row) and not lapses.too_old(row):
        weighed = reach_quorum(row)
        if weighed.given >= weighed.needed:
            facts = {"digest": row.plan_digest, "given": weighed.given, "needed": weighed.needed}
            audit.record("reset.approved", actor=by, target=row, facts=facts)
    row.refresh_from_db()
    return row


def reach_quorum(request: ResetRequest) -> Weighed:
    """Move a planned request on to *approved*, and tell a worker, where its policy needs no further signature.

    Belongs in the transaction of what was signed, or planned.
    """
    row = ResetRequest.objects.select_related("plan__policy_version", "team").get(pk=request.pk)
    weighed = governing.weigh(row, governing.version_of(row))
    if weighed.given >= weighed.needed:
        ResetRequest.objects.filter(pk=row.pk, plan=row.plan_id, plan_digest=row.plan_digest).move(
            State.PLANNED,
            State.APPROVED,
            approved_digest=row.plan_digest,
            tries=0,
            problem=None,
            nudge_at=timezone.now(),
        )
        nudge.after_commit(nudge.Nudge.EXECUTE, request_id=row.pk)
    return weighed


def _locked(request: ResetRequest) -> ResetRequest:
    """The row as it is now, ours until the transaction ends: two approvers at once take turns."""
    return ResetRequest.objects.select_for_update().get(pk=request.pk)


def _said(row: ResetRequest, by: User, seen_digest: str, decision: Decision) -> bool:
    """Whether this person decided so on this plan already (a double click)."""
    earlier = Approval.objects.filter(request=row, plan=row.plan_id, digest=seen_digest, by=by).first()
    if earlier is None:
        return False
    if Withdrawal.objects.filter(approval=earlier).exists():
        raise TakenBack()
    if earlier.decision != decision:
        raise DecidedOtherwise(decision=earlier.decision)
    return True


def _check(row: ResetRequest, by: User, seen_digest: str, verb: str) -> None:
    """Who first, so that nobody learns more than they may; then the plan, then the state."""
    policies.may_sign_for(by, row, verb).require()
    if row.plan_digest != seen_digest:
        raise DigestOutdated(seen=seen_digest, current=row.plan_digest or None)
    if row.state != State.PLANNED:
        raise WrongState(request=row.pk, state=row.state, expected=State.PLANNED)


def _sign(row: ResetRequest, by: User, decision: Decision, comment: str) -> Approval:
    return Approval.objects.create(
        request=row,
        plan=row.the_plan,
        digest=row.plan_digest,
        by=by,
        requester_id=row.requester_id,
        requester_allowed=by.pk == row.requester_id,  # only ever true where the policy says so: a trigger looks
        decision=decision,
        comment=comment,
        at=timezone.now(),
    )


def _text(comment: str) -> str:
    text = comment.strip()
    if len(text) > LONGEST_COMMENT or "\0" in text:
        expected = f"at most {LONGEST_COMMENT} characters"
        raise BadRequest(field="comment", found=f"{len(text)} characters", expected=expected)
    return text
