"""Asking: a preview, a request, and the same request planned anew."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.accounts.models import User
from kafkaconsole.approvals.risk import Level
from kafkaconsole.audit import actions as audit
from kafkaconsole.clusters.models import Cluster, Right
from kafkaconsole.clusters.queries import cluster_for
from kafkaconsole.groups import queries as groups
from kafkaconsole.groups.permissions import may
from kafkaconsole.resets import governing, policies
from kafkaconsole.resets.change import Change, change_as_json, parse_change
from kafkaconsole.resets.errors import BadChange, FieldProblem, StateMoved
from kafkaconsole.resets.fields import shown
from kafkaconsole.resets.models import Preview, ResetRequest
from kafkaconsole.resets.refusals import BadRequest
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Team

LONGEST_REASON = 4000
LONGEST_TICKET = 120


@transaction.atomic
def preview(*, by: User, change_json: Mapping[str, object]) -> Preview:
    """Let a worker work out the plan of a change that nobody has asked for yet. Raises BadChange, NotAllowed."""
    change, cluster = read(by, change_json)
    row = Preview.objects.create(
        id=uuid.uuid4(),
        asked_by=by,
        cluster=cluster,
        change=change_as_json(change),
        nudge_at=timezone.now() + settings.NUDGE_AFTER,
    )
    nudge.after_commit(nudge.Nudge.PREVIEW, preview_id=str(row.pk))
    return row


@transaction.atomic
def request(
    *,
    by: User,
    change_json: Mapping[str, object],
    reason: str,
    ticket: str = "",
    not_before: datetime | None = None,
    expires_at: datetime | None = None,
    undo_of: ResetRequest | None = None,
) -> ResetRequest:
    """Ask for a change; a worker plans it, then approvers of the owning team sign it.

    Without `expires_at` it lives REQUEST_LIFE from now, or from `not_before`. `undo_of` is the request that it undoes
    (`undo` says which). Raises BadChange, BadRequest, NotAllowed.
    """
    change, cluster = read(by, change_json)
    team = groups.owner_of(cluster, change.group)
    if team is None:
        raise AssertionError("may_request allowed a group without a team")
    now = timezone.now()
    ends = expires_at or (not_before or now) + settings.REQUEST_LIFE
    _check_times(now, not_before, ends)
    reason, ticket = text_of("reason", reason, LONGEST_REASON, least=1), text_of("ticket", ticket, LONGEST_TICKET)
    check_words(cluster, team, change, reason, ticket)
    row = ResetRequest.objects.create(
        cluster=cluster,
        group_name=change.group,
        team=team,
        requester=by,
        change=change_as_json(change),
        reason=reason,
        ticket=ticket,
        not_before=not_before,
        expires_at=ends,
        nudge_at=now + settings.NUDGE_AFTER,
        undo_of=undo_of,
    )
    facts = {"cluster": cluster.name, "group": change.group, "team": team.slug, "change": row.change}
    audit.record("reset.requested", actor=by, target=row, facts=facts)
    nudge.after_commit(nudge.Nudge.PLAN, request_id=row.pk)
    return row


@transaction.atomic
def replan(*, request: ResetRequest, by: User) -> ResetRequest:
    """Back to planning with the same change: the plan and what was signed are void. Raises NotAllowed, StateMoved."""
    row = ResetRequest.objects.select_for_update().get(pk=request.pk)
    if row.state == State.PLANNING:
        raise StateMoved(expected=request.state)
    policies.may_replan(by, row).require()
    before = {"state": row.state, "digest": row.plan_digest or None}
    to_planning(row)
    audit.record("reset.replanned", actor=by, target=row, facts=before)
    row.refresh_from_db()
    return row


def to_planning(row: ResetRequest, **facts: object) -> None:
    """Back to planning, with `facts` on the row: its plan and what was signed are void. Raises StateMoved."""
    ResetRequest.objects.filter(pk=row.pk).move(
        State(row.state),
        State.PLANNING,
        plan=None,
        plan_digest="",
        approved_digest="",
        problem=None,
        tries=0,
        nudge_at=timezone.now() + settings.NUDGE_AFTER,
        **facts,
    )
    nudge.after_commit(nudge.Nudge.PLAN, request_id=row.pk)


def read(by: User, change_json: Mapping[str, object]) -> tuple[Change, Cluster]:
    """The change and its cluster, for a person who may ask for it."""
    change = parse_change(change_json)
    try:
        cluster = cluster_for(by, change.cluster)
    except Http404:
        raise BadChange([FieldProblem("cluster", shown(change.cluster), "the name of a registered cluster")]) from None
    policies.may_request(by, cluster, change.group).require()
    source = getattr(change.strategy, "from_group", None)
    if source is not None:  # a plan would show where it stands
        may(by, Right.SEE, cluster=cluster, group=source).require()
    return change, cluster


def check_words(cluster: Cluster, team: Team, change: Change, reason: str, ticket: str) -> None:
    """What the policy asks for already of a plan of low risk: told at once, not only when the plan is made."""
    version = governing.applying(cluster, team, change.group, change.strategy.kind, Level.LOW)
    lacks = governing.lacking(version, reason=reason, ticket=ticket)
    if lacks is not None:
        field = "ticket" if lacks["code"] == governing.TICKET_NEEDED else "reason"
        rules = version.rules
        expected = {
            "ticket": f"a ticket like {rules.ticket_pattern}" if rules.ticket_pattern else "a ticket",
            "reason": f"{rules.reason_least} characters at least",
        }
        found = ticket or "none" if field == "ticket" else f"{len(reason)} characters"
        raise BadRequest(field=field, found=found, expected=f"{expected[field]} (policy “{version.name}”)")


def _check_times(now: datetime, not_before: datetime | None, ends: datetime) -> None:
    for field, value in (("not_before", not_before), ("expires_at", ends)):
        if value is not None and value.tzinfo is None:
            raise BadRequest(field=field, found=value.isoformat(), expected="an instant with its zone")
    if ends <= now:
        raise BadRequest(field="expires_at", found=ends.isoformat(), expected="an instant that is still to come")
    if not_before is not None and not_before >= ends:
        raise BadRequest(field="not_before", found=not_before.isoformat(), expected=f"before {ends.isoformat()}")


def text_of(field: str, value: str, longest: int, *, least: int = 0) -> str:
    """A text without blanks around it. Raises BadRequest where it is too short or too long."""
    text = value.strip()
    if not least <= len(text) <= longest or "\0" in text:
        raise BadRequest(field=field, found=f"{len(text)} characters", expected=f"{least} to {longest} characters")
    return text
