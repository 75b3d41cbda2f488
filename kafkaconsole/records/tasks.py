"""Celery's door to exports. Loaded by workers alone."""

from __future__ import annotations

from celery import shared_task

from kafkaconsole import nudge
from kafkaconsole.clusters import connections
from kafkaconsole.records import actions, exporting, looking


@shared_task(name="records.export", ignore_result=True, soft_time_limit=110, time_limit=130)
def export(*, export_id: int) -> None:
    """Read one slice; a message for the next one follows when the slice was too short."""
    outcome = exporting.export(export_id=export_id, connect_records=connections.record_reader)
    if outcome is exporting.Outcome.MORE:
        nudge.after_commit(nudge.Nudge.EXPORT_RECORDS, export_id=export_id)


@shared_task(name="records.look", ignore_result=True, soft_time_limit=60, time_limit=75)
def look(*, look_id: int) -> None:
    """Read the few records of one look."""
    looking.look(look_id=look_id, connect_records=connections.record_reader)


@shared_task(name="records.tick", ignore_result=True, soft_time_limit=20, time_limit=30)
def tick() -> None:
    """Pick up exports that were left behind."""
    actions.tick()


@shared_task(name="records.retain", ignore_result=True, soft_time_limit=120, time_limit=150)
def retain() -> None:
    """Drop old exports."""
    actions.retain()
