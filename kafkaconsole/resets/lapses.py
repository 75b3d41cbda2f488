"""Why an approved request is not carried any more: roles, people, rights and time go on after it was approved."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from kafkaconsole.approvals import quorum
from kafkaconsole.approvals.models import PolicyVersion
from kafkaconsole.clusters.models import Right
from kafkaconsole.groups.permissions import may
from kafkaconsole.problems import problem
from kafkaconsole.resets import governing
from kafkaconsole.resets.models import ResetRequest

REQUESTER_LEFT = "approval.requester_left"
NO_LONGER_COUNTS = "approval.no_longer_counts"
TOO_OLD = "approval.too_old"
MAY_NOT_ASK = "approval.requester_may_not_ask"


def of(request: ResetRequest) -> dict[str, object] | None:
    """The problem of an approved request that may not be carried out any more.

    None: its signatures carry it, or, where its policy needs none, the right to ask of whoever asked.
    """
    if not request.requester.is_active:
        return problem(REQUESTER_LEFT, requester=str(request.requester), team=str(request.team))
    version = governing.version_of(request)
    glass = governing.glass_of(request)
    if glass is not None and glass.by.is_active and glass.by.is_administrator:
        return None
    weighed = governing.weigh(request, version)
    if weighed.given < weighed.needed:
        who = quorum.who(weighed.missing, request.team.name, other_than=None)
        lost = [
            str(one.by) for one in governing.approvals_of(request) if not governing.may_count(one.by, request, version)
        ]
        return problem(NO_LONGER_COUNTS, who=lost, given=weighed.given, needed=weighed.needed, missing=who)
    return too_old(request) if weighed.needed else unasked(request, version)


def unasked(request: ResetRequest, version: PolicyVersion) -> dict[str, object] | None:
    """The problem of a request that nobody signs, where whoever worded it as it stands may not ask for it any more."""
    last = request.revisions.select_related("replaced_by").order_by("-number").first()
    person = last.replaced_by if last else request.requester
    if may(person, Right.REQUEST, cluster=request.cluster, group=request.group_name):
        return None
    return problem(MAY_NOT_ASK, person=str(person), group=request.group_name, policy=version.name)


def too_old(request: ResetRequest, *, at: datetime | None = None) -> dict[str, object] | None:
    """The problem of a plan that someone approved longer ago than its policy lets an approval live."""
    version = governing.version_of(request)
    life, now = version.rules.approval_life, at or timezone.now()
    if life is None:
        return None
    old = next((one for one in governing.approvals_of(request) if one.at + life <= now), None)
    if old is None:
        return None
    return problem(TOO_OLD, by=str(old.by), at=old.at, life_s=int(life.total_seconds()), policy=version.name)
