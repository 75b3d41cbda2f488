"""Celery's door to the history."""

from __future__ import annotations

from celery import shared_task

from kafkaconsole.clusters import connections
from kafkaconsole.history import actions, sweeping
from kafkaconsole.nudge import Nudge, after_commit


@shared_task(name="history.sweep", ignore_result=True, soft_time_limit=120, time_limit=150)
def sweep(*, cluster_id: int) -> None:
    """Sweep a cluster whose turn has come; a repeated message finds nothing to do."""
    sweeping.sweep_if_due(cluster_id, connections.offset_admin)


@shared_task(name="history.tick", ignore_result=True)
def tick() -> None:
    """Send a message for every cluster that is due."""
    for cluster_id in actions.due_clusters():
        after_commit(Nudge.SWEEP, cluster_id=cluster_id)


@shared_task(name="history.retain", ignore_result=True, soft_time_limit=1500, time_limit=1800)
def retain() -> None:
    """Drop what is older than the retention."""
    actions.retain()
