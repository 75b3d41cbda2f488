"""Reset requests: asking, looking, and what is not a decision."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from ninja import Path, Query, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api import plan_files, waiting
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.paging import by_key
from kafkaconsole.api.shapes.changes import RequestIn
from kafkaconsole.api.shapes.requests import RequestList, RequestOut, RequestQuery, RequestRow, RequestWait
from kafkaconsole.api.shapes.values import RowId, instant_text
from kafkaconsole.resets import actions, queries
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import FINAL, State

router = Router(tags=["requests"])

AT_WORK = frozenset({State.PLANNING, State.APPROVED, State.EXECUTING, State.UNCERTAIN})
"""States that the console itself will leave soon."""


@router.get("/requests", auth=needs(Scope.READ), response=RequestList)
def list_requests(request: ApiRequest, query: Query[RequestQuery]) -> RequestList:
    """Requests that the caller may see, newest first."""
    found = queries.requests_for(
        request.auth.user,
        state=query.state or "",
        cluster=query.cluster or "",
        group=query.group or "",
        team=query.team or "",
        requester=query.requester or "",
        waiting_for_me=query.waiting_for_me,
    )
    rows, following = by_key(request, found.prefetch_related(queries.NEEDS), query, field="id", newest_first=True)
    items = [RequestRow.model_validate(RequestRow.fields_of(row)) for row in rows]
    return RequestList(items=items, next=following, as_of=instant_text(timezone.now()))


@router.post("/requests", auth=needs(Scope.REQUEST), response={201: RequestOut})
def make_request(request: ApiRequest, body: RequestIn) -> HttpResponse:
    """Ask for a reset. Its plan is computed by a worker: wait for it with `GET …?wait_s=20`."""

    def write() -> Answer:
        made = actions.request(
            by=request.auth.user,
            change_json=body.change(),
            reason=body.reason,
            ticket=body.ticket,
            not_before=body.not_before,
            expires_at=body.expires_at,
        )
        return Answer(201, _out(request, made.pk), location=f"/api/v1/requests/{made.pk}")

    return once(request, write)


@router.get("/requests/{row:request_id}", auth=needs(Scope.READ), response=RequestOut)
def show_request(request: ApiRequest, request_id: Path[RowId], query: Query[RequestWait]) -> RequestOut:
    """One request with its plan, approvals, attempts and events."""

    def is_done(row: ResetRequest) -> bool:
        if query.until is None:
            return row.state not in AT_WORK
        return row.state == query.until or row.state in FINAL

    read = waiting.until(lambda: queries.request_for(request.auth.user, request_id), is_done, query.wait_s)
    return RequestOut.of(read)


@router.get("/requests/{row:request_id}/plan.csv", auth=needs(Scope.READ), openapi_extra=plan_files.OPENAPI)
def request_plan_csv(request: ApiRequest, request_id: Path[RowId]) -> HttpResponse:
    """The plan's targets as topic,partition,offset."""
    row = queries.request_for(request.auth.user, request_id)
    return plan_files.as_csv(row.plan, f"request-{row.pk}")


def _out(request: ApiRequest, request_id: int) -> RequestOut:
    return RequestOut.of(queries.request_for(request.auth.user, request_id))
