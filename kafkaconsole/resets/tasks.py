"""Celery's door: an id in, one action. Limits are seconds; what a limit cuts off is settled or sent again by `tick`."""

from __future__ import annotations

import structlog
from celery import shared_task

from kafkaconsole.clusters.connections import offset_admin, record_reader
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Attempt, Preview, ResetRequest

logger = structlog.get_logger(__name__)


@shared_task(name="resets.preview", acks_late=True, soft_time_limit=60, time_limit=90)
def preview(*, preview_id: str, **unknown: object) -> None:
    """Work out one preview."""
    row = Preview.objects.filter(pk=preview_id).first()
    _bind("resets.preview", unknown, row, preview_id=preview_id)
    actions.make_preview(preview_id=preview_id, connect=offset_admin, connect_records=record_reader)


@shared_task(name="resets.plan", acks_late=True, soft_time_limit=120, time_limit=150)
def plan(*, request_id: int, **unknown: object) -> None:
    """Work out one request's plan."""
    _bind("resets.plan", unknown, ResetRequest.objects.filter(pk=request_id).first(), request_id=request_id)
    actions.make_plan(request_id=request_id, connect=offset_admin, connect_records=record_reader)


@shared_task(name="resets.execute", acks_late=True, soft_time_limit=270, time_limit=300)
def execute(*, request_id: int, **unknown: object) -> None:
    """Execute one request."""
    _bind("resets.execute", unknown, ResetRequest.objects.filter(pk=request_id).first(), request_id=request_id)
    actions.execute(request_id=request_id, connect=offset_admin)


@shared_task(name="resets.settle", acks_late=True, soft_time_limit=270, time_limit=300)
def settle(*, attempt_id: int, **unknown: object) -> None:
    """Settle one attempt that its worker left behind."""
    _bind("resets.settle", unknown, Attempt.objects.filter(pk=attempt_id).first(), attempt_id=attempt_id)
    actions.settle(attempt_id=attempt_id, connect=offset_admin)


@shared_task(name="resets.tick", soft_time_limit=30, time_limit=45)
def tick(**unknown: object) -> None:
    """Beat: send again what a lost message left behind."""
    _bind("resets.tick", unknown, None)
    actions.tick()


def _bind(task: str, unknown: dict[str, object], row: Preview | ResetRequest | Attempt | None, **ids: object) -> None:
    """Every log line of the task carries its ids; arguments of a newer release are told, not fatal."""
    facts = {"cluster": row.cluster_id} if row else {}
    group = row.change["group"] if isinstance(row, Preview) else getattr(row, "group_name", None)
    structlog.contextvars.bind_contextvars(**ids, **facts, **({"group": group} if group else {}))
    if unknown:
        logger.warning("A task got arguments that it does not know", task=task, names=sorted(unknown))
