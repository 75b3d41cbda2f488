"""Celery's door."""

from __future__ import annotations

from celery import shared_task

from kafkaconsole.api import idempotency


@shared_task(name="api.tidy", ignore_result=True, soft_time_limit=60, time_limit=90)
def tidy() -> None:
    """Beat: drop answers that no repeated call asks for any more."""
    idempotency.tidy()
