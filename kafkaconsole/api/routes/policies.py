"""Policies: everyone reads what applies to them, administrators change it."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from ninja import Path, Query, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.paging import PageQuery, by_key
from kafkaconsole.api.shapes.policies import (
    PolicyChange,
    PolicyIn,
    PolicyList,
    PolicyOff,
    PolicyRow,
    PolicySaid,
    PolicyWithVersions,
)
from kafkaconsole.api.shapes.values import RowId, instant_text
from kafkaconsole.approvals import actions, policies, queries

router = Router(tags=["policies"])


@router.get("/policies", auth=needs(Scope.READ), response=PolicyList)
def list_policies(request: ApiRequest, query: Query[PageQuery]) -> PolicyList:
    """Every policy that the caller may read, by its version in force, in the order in which they were added."""
    rows, following = by_key(request, queries.current(request.auth.user), query, field="policy_id", newest_first=False)
    items = [PolicyRow.model_validate(PolicyRow.fields_of(row)) for row in rows]
    return PolicyList(items=items, next=following, as_of=instant_text(timezone.now()))


@router.post("/policies", auth=needs(Scope.ADMIN), response={201: PolicyWithVersions})
def add_policy(request: ApiRequest, body: PolicyIn) -> HttpResponse:
    """Add a policy. It applies to plans that are made from now on. Administrators."""

    def write() -> Answer:
        user = request.auth.user
        policies.may_administer(user).require()
        version = actions.add(by=user, name=body.name, draft=body.draft(), note=body.note)
        return Answer(201, PolicyWithVersions.of(version.policy), location=f"/api/v1/policies/{version.policy_id}")

    return once(request, write)


@router.get("/policies/{row:policy_id}", auth=needs(Scope.READ), response=PolicyWithVersions)
def show_policy(request: ApiRequest, policy_id: Path[RowId]) -> PolicyWithVersions:
    """One policy with its versions."""
    return PolicyWithVersions.of(queries.policy_for(request.auth.user, policy_id))


@router.put("/policies/{row:policy_id}", auth=needs(Scope.ADMIN), response=PolicyWithVersions)
def change_policy(request: ApiRequest, policy_id: Path[RowId], body: PolicyChange) -> HttpResponse:
    """Make the next version. 409 `policy.moved_on` when `seen` is not the last one. Administrators."""

    def write() -> Answer:
        user = request.auth.user
        policy = queries.policy_for(user, policy_id)
        policies.may_administer(user).require()
        actions.change(by=user, policy=policy, seen=body.seen, draft=body.draft(), note=body.note)
        return Answer(200, PolicyWithVersions.of(policy))

    return once(request, write)


@router.post("/policies/{row:policy_id}/off", auth=needs(Scope.ADMIN), response=PolicyWithVersions)
def switch_policy_off(request: ApiRequest, policy_id: Path[RowId], body: PolicyOff) -> HttpResponse:
    """From now on the policy applies to no plan that is made. Administrators."""

    def write() -> Answer:
        policy = queries.policy_for(request.auth.user, policy_id)
        actions.switch_off(by=request.auth.user, policy=policy, seen=body.seen, note=body.note)
        return Answer(200, PolicyWithVersions.of(policy))

    return once(request, write)


@router.post("/policies/{row:policy_id}/confirm", auth=needs(Scope.ADMIN), response=PolicyWithVersions)
def confirm_policy(request: ApiRequest, policy_id: Path[RowId], body: PolicySaid) -> HttpResponse:
    """Put the proposed version in force. Another administrator than the one who made it."""

    def write() -> Answer:
        policy = queries.policy_for(request.auth.user, policy_id)
        actions.confirm(by=request.auth.user, policy=policy, seen=body.seen)
        return Answer(200, PolicyWithVersions.of(policy))

    return once(request, write)


@router.post("/policies/{row:policy_id}/decline", auth=needs(Scope.ADMIN), response=PolicyWithVersions)
def decline_policy(request: ApiRequest, policy_id: Path[RowId], body: PolicySaid) -> HttpResponse:
    """Let the proposed version go. Administrators."""

    def write() -> Answer:
        policy = queries.policy_for(request.auth.user, policy_id)
        actions.decline(by=request.auth.user, policy=policy, seen=body.seen)
        return Answer(200, PolicyWithVersions.of(policy))

    return once(request, write)
