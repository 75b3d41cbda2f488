"""Celery's door."""

from __future__ import annotations

import structlog
from celery import shared_task

from kafkaconsole.accounts import actions

logger = structlog.get_logger(__name__)


@shared_task(name="accounts.tidy", soft_time_limit=60, time_limit=90)
def tidy(**unknown: object) -> None:
    """Beat: clear away what has ended."""
    if unknown:
        logger.warning("A task got arguments that it does not know", task="accounts.tidy", names=sorted(unknown))
    actions.tidy()
