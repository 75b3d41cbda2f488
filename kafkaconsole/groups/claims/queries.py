"""Reads of claims, always for a person."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.http import Http404

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.clusters import rights
from kafkaconsole.clusters.models import Holder, Right
from kafkaconsole.clusters.queries import clusters_for
from kafkaconsole.groups.models import Claim, ClaimState
from kafkaconsole.teams.models import Membership
from kafkaconsole.teams.policies import SIGNING_ROLES
from kafkaconsole.teams.queries import teams_of, teams_signed_by


def claims_for(user: User, *, state: str = "") -> QuerySet[Claim]:
    """Claims that the person may see, the newest first: of groups on clusters that they see, where the environment shows
    groups to what they are to the claiming team."""
    found = Claim.objects.select_related("cluster__environment", "team", "claimed_by", "answered_by")
    found = found.filter(cluster__in=clusters_for(user)).exclude(rights.unseen(user)).order_by("-id")
    return found.filter(state=state) if state else found


def claim_for(user: User, id: int) -> Claim:  # noqa: A002  the API's name
    """One claim, or Http404 for what the person may not see."""
    claim = claims_for(user).filter(pk=id).first()
    if claim is None:
        raise Http404(f"There is no claim {id} that you may see.")
    return claim


def waiting_for(user: User) -> QuerySet[Claim]:
    """Open claims that the person may answer, the oldest first; `policies.may_answer` says the same of one."""
    found = claims_for(user, state=ClaimState.OPEN).exclude(claimed_by=user).order_by("id")
    if user.is_service:
        return found.none()
    if user.is_administrator:
        return found
    if user.is_auditor or not teams_signed_by(user).exists():
        return found.none()
    return found.exclude(team__in=teams_of(user))


def answerers_of(claim: Claim) -> QuerySet[User]:
    """Everyone who may answer it and sees it."""
    signing = Membership.objects.filter(role__in=SIGNING_ROLES).values("user")
    own = Membership.objects.filter(team=claim.team_id).values("user")
    others = Q(pk__in=signing) & ~Q(pk__in=own)
    if not rights.holds(Holder.OUTSIDER, Right.SEE, claim.cluster.environment):
        others = Q(pk__in=[])
    able = User.objects.filter(Q(role=GlobalRole.ADMINISTRATOR) | others, is_active=True, is_service=False)
    return able.exclude(role=GlobalRole.AUDITOR).exclude(pk=claim.claimed_by_id).order_by("username")
