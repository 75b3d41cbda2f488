"""Celery's door: an id in, one action. Limits are seconds; what a limit cuts off is settled or sent again by `tick`."""

from __future__ import annotations

import structlog
from celery import shared_task
from celery.signals import worker_ready

from kafkaconsole.clusters.connections import offset_admin, record_reader
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Attempt, Preview, ResetRequest


@shared_task(name="resets.preview", acks_late=True, soft_time_limit=60, time_limit=90)
def preview(*, preview_id: str) -> None:
    """Work out one preview."""
    _bind(Preview.objects.filter(pk=preview_id).first(), preview_id=preview_id)
    actions.make_preview(preview_id=preview_id, connect=offset_admin, connect_records=record_reader)


@shared_task(name="resets.plan", acks_late=True, soft_time_limit=120, time_limit=150)
def plan(*, request_id: int) -> None:
    """Work out one request's plan."""
    _bind(ResetRequest.objects.filter(pk=request_id).first(), reset_id=request_id)
    actions.make_plan(request_id=request_id, connect=offset_admin, connect_records=record_reader)


@shared_task(name="resets.execute", acks_late=True, soft_time_limit=270, time_limit=300)
def execute(*, request_id: int) -> None:
    """Execute one request."""
    _bind(ResetRequest.objects.filter(pk=request_id).first(), reset_id=request_id)
    actions.execute(request_id=request_id, connect=offset_admin)


@shared_task(name="resets.settle", acks_late=True, soft_time_limit=270, time_limit=300)
def settle(*, attempt_id: int) -> None:
    """Settle one attempt that its worker left behind."""
    _bind(Attempt.objects.filter(pk=attempt_id).first(), attempt_id=attempt_id)
    actions.settle(attempt_id=attempt_id, connect=offset_admin)


@shared_task(name="resets.tick", soft_time_limit=30, time_limit=45)
def tick() -> None:
    """Beat: send again what a lost message left behind."""
    actions.tick()


@worker_ready.connect
def look_at_once(**_: object) -> None:
    """A worker that starts does not wait for beat: what others left behind is looked for now."""
    tick.apply_async(retry=False)


def _bind(row: Preview | ResetRequest | Attempt | None, **ids: object) -> None:
    """Every log line of the task carries its ids; `request_id` stays the id of the HTTP call that the task follows from."""
    facts: dict[str, object] = {"cluster": row.cluster_id} if row else {}
    if isinstance(row, Attempt):
        facts |= {"reset_id": row.request_id, "group": row.group_name}
    elif row:
        facts["group"] = row.change["group"]
    structlog.contextvars.bind_contextvars(**ids, **facts)
