"""Claims of groups that nobody owns."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from ninja import Path, Query, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.paging import by_key
from kafkaconsole.api.shapes.ownership import ClaimAnswer, ClaimIn, ClaimList, ClaimOut, ClaimQuery
from kafkaconsole.api.shapes.values import RowId, instant_text
from kafkaconsole.clusters import queries as clusters
from kafkaconsole.groups.claims import actions, policies, queries
from kafkaconsole.groups.errors import BadClaim
from kafkaconsole.teams.queries import teams_for

router = Router(tags=["ownership"])


@router.get("/claims", auth=needs(Scope.READ), response=ClaimList)
def list_claims(request: ApiRequest, query: Query[ClaimQuery]) -> ClaimList:
    """Claims that the caller may see, the newest first."""
    found = queries.claims_for(request.auth.user, state=query.state or "")
    rows, following = by_key(request, found, query, field="pk", newest_first=True)
    items = [ClaimOut.of(row) for row in rows]
    return ClaimList(items=items, next=following, as_of=instant_text(timezone.now()))


@router.get("/claims/{row:claim_id}", auth=needs(Scope.READ), response=ClaimOut)
def show_claim(request: ApiRequest, claim_id: Path[RowId]) -> ClaimOut:
    """One claim."""
    return ClaimOut.of(queries.claim_for(request.auth.user, claim_id))


@router.post("/claims", auth=needs(Scope.REQUEST), response={201: ClaimOut})
def make_claim(request: ApiRequest, body: ClaimIn) -> HttpResponse:
    """Claim a group that nobody owns for a team of the caller's."""

    def write() -> Answer:
        user = request.auth.user
        cluster = clusters.cluster_for(user, body.cluster)
        policies.may_claim(user, cluster, body.group).require()
        team = teams_for(user).filter(slug=body.team).first()
        if team is None:
            raise BadClaim(field="team", found=body.team, expected="the slug of a team of yours")
        made = actions.claim(by=user, cluster=cluster, group=body.group, team=team, reason=body.reason)
        return Answer(201, ClaimOut.of(made), location=f"/api/v1/claims/{made.pk}")

    return once(request, write)


@router.post("/claims/{row:claim_id}/grant", auth=needs(Scope.APPROVE), response=ClaimOut)
def grant_claim(request: ApiRequest, claim_id: Path[RowId], body: ClaimAnswer) -> HttpResponse:
    """Give the group to the team by a rule for its exact name. An approver of another team, or an administrator.

    409 `claim.owned` when a rule gives it to a team by now, `claim.closed` when somebody answered before.
    """

    def write() -> Answer:
        claim = queries.claim_for(request.auth.user, claim_id)
        actions.grant(by=request.auth.user, claim=claim, comment=body.comment)
        return _answered(request, claim_id)

    return once(request, write)


@router.post("/claims/{row:claim_id}/reject", auth=needs(Scope.APPROVE), response=ClaimOut)
def reject_claim(request: ApiRequest, claim_id: Path[RowId], body: ClaimAnswer) -> HttpResponse:
    """Say no, and why. An approver of another team, or an administrator."""

    def write() -> Answer:
        claim = queries.claim_for(request.auth.user, claim_id)
        actions.reject(by=request.auth.user, claim=claim, comment=body.comment)
        return _answered(request, claim_id)

    return once(request, write)


@router.post("/claims/{row:claim_id}/withdraw", auth=needs(Scope.REQUEST), response=ClaimOut)
def withdraw_claim(request: ApiRequest, claim_id: Path[RowId]) -> HttpResponse:
    """Take it back. Whoever claimed it, or an owner of the team."""

    def write() -> Answer:
        claim = queries.claim_for(request.auth.user, claim_id)
        actions.withdraw(by=request.auth.user, claim=claim)
        return _answered(request, claim_id)

    return once(request, write)


def _answered(request: ApiRequest, claim_id: int) -> Answer:
    return Answer(200, ClaimOut.of(queries.claim_for(request.auth.user, claim_id)))
