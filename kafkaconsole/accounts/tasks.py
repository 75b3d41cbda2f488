"""Celery's door."""

from __future__ import annotations

from celery import shared_task

from kafkaconsole.accounts import actions


@shared_task(name="accounts.tidy", soft_time_limit=60, time_limit=90)
def tidy() -> None:
    """Beat: clear away what has ended."""
    actions.tidy()
