"""Changing what an open request asks for, and what it asked for before."""

from __future__ import annotations

from django.http import HttpResponse
from ninja import Path, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.shapes.requests import RequestOut
from kafkaconsole.api.shapes.revisions import RevisionIn, RevisionList, RevisionOut
from kafkaconsole.api.shapes.values import RowId
from kafkaconsole.resets import actions, queries

router = Router(tags=["requests"])


@router.post("/requests/{row:request_id}/revisions", auth=needs(Scope.REQUEST), response={201: RequestOut})
def revise(request: ApiRequest, request_id: Path[RowId], body: RevisionIn) -> HttpResponse:
    """Ask for another change of the group instead: planned and signed anew. 409 `reset.revision_outdated` when `seen` is
    not the request's revision."""
    user = request.auth.user

    def write() -> Answer:
        row = queries.request_for(user, request_id)
        actions.revise(
            request=row, by=user, change_json=body.change(), reason=body.reason, ticket=body.ticket, seen=body.seen
        )
        return Answer(201, RequestOut.of(queries.request_for(user, request_id)))

    return once(request, write)


@router.get("/requests/{row:request_id}/revisions", auth=needs(Scope.READ), response=RevisionList)
def list_revisions(request: ApiRequest, request_id: Path[RowId]) -> RevisionList:
    """What it asked for before, with the plans and the signatures' digests."""
    row = queries.request_for(request.auth.user, request_id)
    found = row.revisions.select_related("by", "replaced_by", "plan").order_by("number")
    return RevisionList(items=[RevisionOut.of(one) for one in found])
