"""Celery's door: names, arguments and what a message leads to."""

from __future__ import annotations

from contextlib import AbstractContextManager

import pytest

from kafkaconsole.clusters import connections
from kafkaconsole.history import tasks
from kafkaconsole.history.models import Outcome, Sweep
from kafkaconsole.kafka.port import OffsetAdmin
from kafkaconsole.nudge import Nudge
from tests.history.scene import Watched


def test_a_tick_sends_a_message_for_each_due_cluster(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[Nudge, dict[str, object]]] = []
    monkeypatch.setattr(tasks, "after_commit", lambda nudge, **ids: sent.append((nudge, ids)))
    tasks.tick()
    assert sent == [(Nudge.SWEEP, {"cluster_id": watched.cluster.pk})]


def test_a_message_leads_to_a_sweep(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(cluster_pk: int) -> AbstractContextManager[OffsetAdmin]:
        assert cluster_pk == watched.cluster.pk
        return watched.kafka.connect(cluster_pk)

    monkeypatch.setattr(connections, "offset_admin", connect)
    tasks.sweep(cluster_id=watched.cluster.pk)
    assert Sweep.objects.get().outcome == Outcome.OK
    assert (watched.kafka.opened, watched.kafka.closed) == (1, 1)


def test_retention_runs_on_an_empty_history(db: None) -> None:
    tasks.retain()


def test_task_names_are_those_of_the_schedule() -> None:
    assert [task.name for task in (tasks.sweep, tasks.tick, tasks.retain)] == [
        "history.sweep", "history.tick", "history.retain",
    ]  # fmt: skip
