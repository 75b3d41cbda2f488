"""Plans without a request."""

from __future__ import annotations

import uuid

from django.http import HttpResponse
from ninja import Query, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api import plan_files, waiting
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.shapes.changes import ChangeIn
from kafkaconsole.api.shapes.plans import PreviewOut
from kafkaconsole.api.shapes.requests import WaitQuery
from kafkaconsole.resets import actions, queries
from kafkaconsole.resets.states import PreviewState

router = Router(tags=["previews"])


@router.post("/previews", auth=needs(Scope.REQUEST), response={202: PreviewOut})
def make_preview(request: ApiRequest, body: ChangeIn) -> HttpResponse:
    """Let a worker compute the plan of a change. Nothing is written to the cluster, nobody is asked."""

    def write() -> Answer:
        preview = actions.preview(by=request.auth.user, change_json=body.change())
        return Answer(202, PreviewOut.of(preview), location=f"/api/v1/previews/{preview.pk}")

    return once(request, write)


@router.get("/previews/{uuid:preview_id}", auth=needs(Scope.READ), response=PreviewOut)
def show_preview(request: ApiRequest, preview_id: uuid.UUID, query: Query[WaitQuery]) -> PreviewOut:
    """A preview of the caller's, with its plan once it is there."""
    preview = waiting.until(
        lambda: queries.preview_for(request.auth.user, preview_id),
        lambda row: row.state != PreviewState.PLANNING,
        query.wait_s,
    )
    return PreviewOut.of(preview)


@router.get("/previews/{uuid:preview_id}/plan.csv", auth=needs(Scope.READ), openapi_extra=plan_files.OPENAPI)
def preview_plan_csv(request: ApiRequest, preview_id: uuid.UUID) -> HttpResponse:
    """The plan's targets as topic,partition,offset."""
    preview = queries.preview_for(request.auth.user, preview_id)
    return plan_files.as_csv(preview.plan, f"preview-{preview.pk}")
