"""Celery's door."""

from __future__ import annotations

import structlog
from celery import shared_task

from kafkaconsole.clusters import testing
from kafkaconsole.kafka.probing import probe

logger = structlog.get_logger(__name__)


@shared_task(name="clusters.test", soft_time_limit=120, time_limit=150)
def test(*, test_id: int, **unknown: object) -> None:
    """Test one connection."""
    _note_unknown("clusters.test", unknown)
    testing.run_test(test_id=test_id, probe=probe)


@shared_task(name="clusters.tick", soft_time_limit=20, time_limit=30)
def tick(**unknown: object) -> None:
    """Beat: send again what a lost message left behind."""
    _note_unknown("clusters.tick", unknown)
    testing.nudge_tests()


def _note_unknown(task: str, unknown: dict[str, object]) -> None:
    if unknown:
        logger.warning("A task got arguments that it does not know", task=task, names=sorted(unknown))
