"""Ending a request without executing it, and saying something on it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.resets import mentions, policies
from kafkaconsole.resets.models import Comment, ResetRequest
from kafkaconsole.resets.refusals import BadRequest
from kafkaconsole.resets.states import State
from kafkaconsole.words import words

LONGEST_TEXT = 10_000


@transaction.atomic
def cancel(*, request: ResetRequest, by: User, comment: str = "") -> ResetRequest:
    """Withdraw a request that is not being executed; again changes nothing. Raises NotAllowed."""
    row = ResetRequest.objects.select_for_update().get(pk=request.pk)
    if row.state == State.CANCELLED:
        policies.may_see(by, row).require()
        return row
    policies.may_cancel(by, row).require()
    before = row.state
    ResetRequest.objects.filter(pk=row.pk).move(State(row.state), State.CANCELLED, nudge_at=None)
    facts: dict[str, object] = {"state": before}
    if comment.strip():
        said = _say(row, by, comment, field="comment")
        if named := mentions.facts_of(said.text, row):
            facts |= {"comment": said.pk} | named
    audit.record("reset.cancelled", actor=by, target=row, facts=facts)
    row.refresh_from_db()
    return row


@transaction.atomic
def cancel_of_who_left(*, person: User, by: User) -> int:
    """Cancel what someone asked for who may no longer sign in (docs/decisions/0061); how many.

    What a worker carries out already, or has to settle, goes on: stopping it half-way would leave less certainty.
    """
    open_ones = ResetRequest.objects.select_for_update().filter(requester=person, state__in=policies.CANCELLABLE)
    rows = list(open_ones.order_by("pk"))
    for row in rows:
        ResetRequest.objects.filter(pk=row.pk).move(State(row.state), State.CANCELLED, nudge_at=None)
        audit.record("reset.cancelled", actor=by, target=row, facts={"state": row.state, "left": person.username})
    return len(rows)


@transaction.atomic
def comment(*, request: ResetRequest, by: User, text: str) -> Comment:
    """Say something on a request, in whatever state it is; whoever is named with `@` is told. Raises NotAllowed,
    BadRequest."""
    policies.may_comment(by, request).require()
    said = _say(request, by, text)
    facts = {"comment": said.pk} | mentions.facts_of(said.text, request, field="text")
    audit.record("reset.commented", actor=by, target=request, facts=facts)
    return said


@transaction.atomic
def expire(*, request: ResetRequest) -> None:
    """The request's time is over. Raises StateMoved when it is elsewhere by now."""
    ResetRequest.objects.filter(pk=request.pk).move(State(request.state), State.EXPIRED, nudge_at=None)
    facts = {"state": request.state, "expires_at": request.expires_at}
    audit.record("reset.expired", actor=None, target=request, facts=facts)


def _say(row: ResetRequest, by: User, text: str, *, field: str = "text") -> Comment:
    said = text.strip()
    if not 1 <= len(said) <= LONGEST_TEXT or "\0" in said:
        expected = words("1 to {most} characters", most=LONGEST_TEXT)
        raise BadRequest(field=field, found=words("{count} characters", count=len(said)), expected=expected)
    return Comment.objects.create(request=row, by=by, text=said, at=timezone.now())
