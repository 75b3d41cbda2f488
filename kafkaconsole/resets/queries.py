"""Reads of requests and previews, always for a person."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.approvals.models import Need
from kafkaconsole.approvals.quorum import COUNTED, Least, Of
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.audit.queries import timeline_of as audit_events_of
from kafkaconsole.clusters import rights
from kafkaconsole.clusters.models import Right
from kafkaconsole.groups.permissions import may
from kafkaconsole.resets import deputies, governing, refusals
from kafkaconsole.resets.models import (
    Approval,
    Attempt,
    AttemptResult,
    Comment,
    Plan,
    PlanLine,
    Preview,
    ResetRequest,
    Revision,
    Withdrawal,
)
from kafkaconsole.resets.states import ResultState, State
from kafkaconsole.teams.models import Membership
from kafkaconsole.teams.queries import teams_of

Row = TypeVar("Row")

NEEDS = "plan__policy_version__needs__team"
"""To be prefetched where the sign-off of many requests is told."""

UNTOUCHED = (refusals.NOT_WRITTEN, refusals.NOT_SENT, refusals.UNCHANGED)
"""Results of partitions on which nothing of ours is, or was, in force."""


def requests_for(
    user: User,
    *,
    state: str = "",
    cluster: str = "",
    group: str = "",
    team: str = "",
    requester: str = "",
    waiting_for_me: bool = False,
) -> QuerySet[ResetRequest]:
    """Requests that the person may see, newest first: their teams' and their own, where the environment shows them to
    their role, and those whose policy asks them to sign; all for administrators and auditors.

    Filters are exact: a state, a cluster's name, a group's name, a team's slug, a user name.
    """
    found = _with_parts(ResetRequest.objects.all())
    if not (user.is_administrator or user.is_auditor):
        theirs = (Q(team__in=teams_of(user)) | Q(requester=user)) & ~rights.unseen(user)
        found = found.filter(theirs | signed_by(user))
    named = {"state": state, "cluster__name": cluster, "group_name": group, "team__slug": team}
    found = found.filter(**{field: value for field, value in named.items() if value})
    if requester:
        found = found.filter(requester__username=requester)
    return _waiting_for(found, user) if waiting_for_me else found


def inbox_of(user: User) -> QuerySet[ResetRequest]:
    """Planned requests that the person may sign and has not yet, longest waiting first."""
    return _waiting_for(_with_parts(ResetRequest.objects.all()), user).order_by("state_since", "id")


def _waiting_for(found: QuerySet[ResetRequest], user: User) -> QuerySet[ResetRequest]:
    said = Approval.objects.filter(request=OuterRef("pk"), by=user, plan=OuterRef("plan"))
    if user.is_auditor:
        return found.none()
    counted = found.filter(signed_by(user, yet=True), ~Exists(said), state=State.PLANNED, requester__is_active=True)
    counted = counted.exclude(plan__barred=user)
    return counted.exclude(Q(requester=user) & ~Q(plan__policy_version__requester_may_count=True))


def request_for(user: User, id: int) -> ResetRequest:  # noqa: A002  the API's name
    """One request, or Http404 for what the person may not see."""
    request = requests_for(user).filter(pk=id).first()
    if request is None:
        raise Http404(f"There is no request {id} that you may see.")
    return request


def preview_for(user: User, id: uuid.UUID | str) -> Preview:  # noqa: A002  the API's name
    """The person's own preview, or Http404."""
    try:
        key = id if isinstance(id, uuid.UUID) else uuid.UUID(id)
    except ValueError:
        raise Http404(f"There is no preview {id}.") from None
    preview = Preview.objects.select_related("cluster__environment", "plan").filter(pk=key, asked_by=user).first()
    if preview is None or not may(user, Right.SEE, cluster=preview.cluster, group=str(preview.change["group"])):
        raise Http404(f"There is no preview {id} of yours.")
    return preview


def lines_of(plan: Plan) -> QuerySet[PlanLine]:
    """A plan's lines, by topic and partition."""
    return plan.lines.order_by("topic", "partition")


def written_attempt_of(request: ResetRequest) -> Attempt | None:
    """The latest attempt that wrote, or may have written, anything."""
    began = request.attempts.filter(write_began_at__isnull=False, snapshot_at__isnull=False).order_by("-number")
    return next((attempt for attempt in began if written_results_of(attempt).exists()), None)


def written_results_of(attempt: Attempt) -> QuerySet[AttemptResult]:
    """Its results but for those of which it is certain that nothing was written."""
    untouched = Q(state=ResultState.INTENDED) | Q(problem__code__in=UNTOUCHED)
    written = Q(state__in=(ResultState.DONE, ResultState.WRITTEN, ResultState.UNKNOWN))
    return attempt.results.filter(written | ~untouched).order_by("topic", "partition")


def approvers_waited_for(request: ResetRequest) -> QuerySet[User]:
    """People whose signature the policy counts, and who signs for them while they are away, without whoever asked."""
    version, signing = governing.version_of(request), Q(pk__in=[])
    signing_roles = governing.signing_roles(request)
    own = Membership.objects.filter(team=request.team_id).values("user")
    for need in version.needs.all():
        held = Membership.objects.filter(role__in=COUNTED[Least(need.least)] & signing_roles)
        match Of(need.of):
            case Of.OWN_TEAM:
                signing |= deputies.with_theirs(held.filter(team=request.team_id), request)
            case Of.TEAM:
                signing |= deputies.with_theirs(held.filter(team=need.team_id), request)
            case Of.OTHER_TEAM:
                signing |= deputies.with_theirs(held.exclude(user__in=own), request) & ~Q(pk__in=own)
    able = User.objects.filter(signing, is_active=True).exclude(role=GlobalRole.AUDITOR)
    found = able if version.requester_may_count else able.exclude(pk=request.requester_id)
    if request.plan is not None and request.plan.barred_id is not None:
        found = found.exclude(pk=request.plan.barred_id)
    return found.order_by("username")


def signed_by(user: User, *, yet: bool = False) -> Q:
    """A condition on requests: the policy of the request's plan counts this person's signature, their own or that which
    they give for somebody who is away (`yet`: and has not signed it)."""
    mine = Membership.objects.filter(user=user)
    original = Q(plan__policy_version__isnull=True, plan__isnull=False)
    found = Q(pk__in=[])
    for least, roles in COUNTED.items():
        needs = Need.objects.filter(version=OuterRef("plan__policy_version"), least=least)
        for role in roles:
            held = mine.filter(role=role)
            teams = held.values("team")
            asked = Q(Exists(needs.filter(of=Of.OWN_TEAM)), team__in=teams)
            asked |= Q(Exists(needs.filter(of=Of.TEAM, team__in=teams)))
            asked |= Q(Exists(needs.filter(of=Of.OTHER_TEAM)), Exists(held)) & ~Q(team__in=mine.values("team"))
            if least is Least.APPROVER:
                asked |= original & Q(team__in=teams)
            found |= asked & ~rights.barred(role, Right.APPROVE)
    return found | deputies.signed_for_others(user, yet=yet)


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """One thing that happened on a request: `kind` is event, approval, withdrawal, revision, comment or attempt, `row`
    what it is about."""

    at: datetime
    kind: str
    who: str
    verb: str
    text: str
    row: AuditEvent | Approval | Comment | Attempt | Revision | Withdrawal


TOLD_BY_ROWS = (
    "reset.approved",
    "reset.rejected",
    "reset.withdrawn",
    "reset.commented",
    "reset.revised",
    "reset.executing",
)
"""Audit events that stand in the timeline as the rows that they are about."""


def timeline_of(request: ResetRequest) -> list[TimelineEntry]:
    """Everything that happened on a request, oldest first."""
    events = audit_events_of(request).exclude(verb__in=TOLD_BY_ROWS)
    entries = [
        *_entries(events, lambda one: TimelineEntry(one.at, "event", one.actor_name, one.verb, "", one)),
        *_entries(request.approvals.select_related("by"), _of_approval),
        *_entries(Withdrawal.objects.filter(approval__request=request).select_related("approval__by"), _of_withdrawal),
        *_entries(request.revisions.select_related("replaced_by", "plan"), _of_revision),
        *_entries(request.comments.select_related("by"), _of_comment),
        *_entries(request.attempts.all(), _of_attempt),
    ]
    return sorted(entries, key=lambda entry: entry.at)


def _entries(rows: Iterable[Row], make: Callable[[Row], TimelineEntry]) -> list[TimelineEntry]:
    return [make(row) for row in rows]


def _of_approval(row: Approval) -> TimelineEntry:
    return TimelineEntry(row.at, "approval", str(row.by), f"reset.{row.decision}", row.comment, row)


def _of_withdrawal(row: Withdrawal) -> TimelineEntry:
    return TimelineEntry(row.at, "withdrawal", str(row.approval.by), "reset.withdrawn", row.comment, row)


def _of_revision(row: Revision) -> TimelineEntry:
    return TimelineEntry(row.replaced_at, "revision", str(row.replaced_by), "reset.revised", "", row)


def _of_comment(row: Comment) -> TimelineEntry:
    return TimelineEntry(row.at, "comment", str(row.by), "reset.commented", row.text, row)


def _of_attempt(row: Attempt) -> TimelineEntry:
    return TimelineEntry(row.started_at, "attempt", row.worker, "reset.executing", "", row)


def _with_parts(found: QuerySet[ResetRequest]) -> QuerySet[ResetRequest]:
    return found.select_related("cluster__environment", "team", "requester", "plan__policy_version__policy")


def left_behind(now: datetime) -> QuerySet[ResetRequest]:
    """Requests that a worker should have taken up by now."""
    return ResetRequest.objects.filter(
        state__in=(State.PLANNING, State.APPROVED, State.WAITING), nudge_at__lte=now
    ).order_by("nudge_at")


def past_their_time(now: datetime) -> QuerySet[ResetRequest]:
    """Requests that expired without having been executed."""
    open_states = (State.PLANNING, State.PLANNED, State.PLAN_FAILED, State.APPROVED, State.WAITING, State.STALE)
    return ResetRequest.objects.filter(state__in=open_states, expires_at__lte=now).order_by("id")
