"""Batches: the same reset for several groups at once."""

from __future__ import annotations

from django.http import HttpResponse
from ninja import Path, Router

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api.callers import ApiRequest, needs
from kafkaconsole.api.idempotency import Answer, once
from kafkaconsole.api.shapes.batches import ApproveBatchIn, BatchApproved, BatchIn, BatchOut
from kafkaconsole.api.shapes.values import RowId
from kafkaconsole.resets import actions, batch_queries

router = Router(tags=["batches"])


@router.post("/batches", auth=needs(Scope.REQUEST), response={201: BatchOut})
def make_batch(request: ApiRequest, body: BatchIn) -> HttpResponse:
    """Ask for several groups at once. Each gets a request with a plan, a digest and signatures of its own."""
    user = request.auth.user

    def write() -> Answer:
        batch = actions.request_batch(
            by=user,
            changes=[one.change() for one in body.changes],
            reason=body.reason,
            ticket=body.ticket,
            not_before=body.not_before,
            expires_at=body.expires_at,
        )
        return Answer(201, BatchOut.of(batch, user), location=f"/api/v1/batches/{batch.pk}")

    return once(request, write)


@router.get("/batches/{row:batch_id}", auth=needs(Scope.READ), response=BatchOut)
def show_batch(request: ApiRequest, batch_id: Path[RowId]) -> BatchOut:
    """One batch with its requests."""
    return BatchOut.of(batch_queries.batch_for(request.auth.user, batch_id), request.auth.user)


@router.post("/batches/{row:batch_id}/approve", auth=needs(Scope.APPROVE), response=BatchApproved)
def approve_batch(request: ApiRequest, batch_id: Path[RowId], body: ApproveBatchIn) -> HttpResponse:
    """Sign the plans with these digests, each by itself: the verdicts tell which were signed, and why others were not."""
    user = request.auth.user

    def write() -> Answer:
        batch = batch_queries.batch_for(user, batch_id)
        seen = {int(pk): digest for pk, digest in body.digests.items()}
        verdicts = actions.approve_batch(batch=batch, by=user, seen_digests=seen, comment=body.comment)
        return Answer(200, BatchApproved.of(verdicts, batch, user))

    return once(request, write)
