"""Celery's door."""

from __future__ import annotations

import structlog
from celery import shared_task

from kafkaconsole.clusters import testing
from kafkaconsole.kafka.probing import probe


@shared_task(name="clusters.test", acks_late=True, soft_time_limit=120, time_limit=150)
def test(*, test_id: int) -> None:
    """Test one connection."""
    structlog.contextvars.bind_contextvars(test_id=test_id)
    testing.run_test(test_id=test_id, probe=probe)


@shared_task(name="clusters.tick", soft_time_limit=20, time_limit=30)
def tick() -> None:
    """Beat: send again what a lost message left behind."""
    testing.nudge_tests()
