"""Celery's door to the outbox. Loaded by workers alone."""

from __future__ import annotations

from celery import shared_task

from kafkaconsole.notifications import actions, delivering, reminding


@shared_task(name="notifications.mail", ignore_result=True, soft_time_limit=120, time_limit=150)
def mail(*, person_id: int) -> None:
    """Send one person what is due for them."""
    delivering.to_person(person_id)


@shared_task(name="notifications.post", ignore_result=True, soft_time_limit=120, time_limit=150)
def post(*, channel_id: int) -> None:
    """Send one channel what is due for it."""
    delivering.to_channel(channel_id)


@shared_task(name="notifications.tick", ignore_result=True, soft_time_limit=20, time_limit=30)
def tick() -> None:
    """Look for what is due."""
    actions.tick()


@shared_task(name="notifications.remind", ignore_result=True, soft_time_limit=60, time_limit=90)
def remind() -> None:
    """What the clock says has to be told."""
    reminding.remind()
