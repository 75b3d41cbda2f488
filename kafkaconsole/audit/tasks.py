"""Celery's door."""

from __future__ import annotations

import structlog
from celery import shared_task
from django.conf import settings

from kafkaconsole.audit import anchors, checking


@shared_task(name="audit.check", acks_late=True, soft_time_limit=3600, time_limit=3660)
def check(*, check_id: int) -> None:
    """Walk the whole chain."""
    structlog.contextvars.bind_contextvars(check_id=check_id)
    checking.run(check_id=check_id)


@shared_task(name="audit.tick", soft_time_limit=20, time_limit=30)
def tick() -> None:
    """Beat: what is due, and what a lost message left behind."""
    checking.tick()


@shared_task(name="audit.anchor", soft_time_limit=20, time_limit=30)
def anchor() -> None:
    """Beat: say outside the database how far the record reaches."""
    taken = anchors.take()
    if taken is not None:
        anchors.keep(taken, file=settings.AUDIT_ANCHORS)
