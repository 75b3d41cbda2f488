"""Delegations for an absence."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from ninja import Path, Query, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.accounts.queries import everyone
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.paging import PageQuery, by_key
from kafkaconsole.api.shapes.delegations import DelegationIn, DelegationList, DelegationOut
from kafkaconsole.api.shapes.values import RowId, instant_text
from kafkaconsole.teams import delegating, policies, queries
from kafkaconsole.teams.errors import BadDelegation
from kafkaconsole.words import words

router = Router(tags=["people"])


@router.get("/delegations", auth=needs(Scope.READ), response=DelegationList)
def list_delegations(request: ApiRequest, query: Query[PageQuery]) -> DelegationList:
    """What the caller gave and was given, newest first; administrators and auditors see all."""
    found = queries.delegations_for(request.auth.user)
    rows, following = by_key(request, found, query, field="pk", newest_first=True)
    items = [DelegationOut.of(row) for row in rows]
    return DelegationList(items=items, next=following, as_of=instant_text(timezone.now()))


@router.post("/delegations", auth=needs(Scope.APPROVE), response={201: DelegationOut})
def make_delegation(request: ApiRequest, body: DelegationIn) -> HttpResponse:
    """Let somebody sign for the caller. 409 `delegation.overlaps` when somebody does already in a part of that time."""

    def write() -> Answer:
        user = request.auth.user
        policies.may_delegate(user).require()
        to = everyone().filter(username=body.to).first()
        if to is None:
            expected = words("the user name of someone who may sign in")
            raise BadDelegation(field="to", found=body.to, expected=expected)
        team = None if body.team is None else queries.teams_signed_by(user).filter(slug=body.team).first()
        if body.team is not None and team is None:
            expected = words("the slug of a team that you sign for")
            raise BadDelegation(field="team", found=body.team, expected=expected)
        made = delegating.delegate(by=user, to=to, team=team, starts_at=body.starts_at, ends_at=body.ends_at)
        return Answer(201, DelegationOut.of(made))

    return once(request, write)


@router.post("/delegations/{row:delegation_id}/end", auth=needs(Scope.APPROVE), response=DelegationOut)
def end_delegation(request: ApiRequest, delegation_id: Path[RowId]) -> HttpResponse:
    """End it before its time: whoever gave it, or an administrator. 409 `delegation.over` when it ended before."""

    def write() -> Answer:
        row = queries.delegation_for(request.auth.user, delegation_id)
        return Answer(200, DelegationOut.of(delegating.end(by=request.auth.user, delegation=row)))

    return once(request, write)
