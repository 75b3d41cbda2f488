"""Real workers, a real broker of messages, a real Kafka: a worker killed while it executes loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from devtools.kafka.cluster import LocalKafka
from devtools.kafka.waiting import comes_true
from kafkaconsole.audit import verifying
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.kafka.values import MAX_OFFSET
from kafkaconsole.resets.models import Attempt, ResetRequest
from kafkaconsole.resets.states import FINAL, State
from tests import factories
from tests.resets.kafka_scene import KafkaScene, kafka_scene
from tests.workers import Worker

__all__ = ["kafka_scene"]

PARTITIONS = 1100
"""Three runs of writes: long enough to be killed in the middle."""
ROUNDS = 5
TAKEN_UP_WITHIN = 25
"""Seconds: the start of a worker, its lease (WORK_LEASE_S is 4 here), a tick, and the work."""

pytestmark = pytest.mark.django_db(transaction=True)


def _state(request: ResetRequest) -> State:
    return State(ResetRequest.objects.values_list("state", flat=True).get(pk=request.pk))


def _becomes(request: ResetRequest, *states: State, limit: float = 90) -> ResetRequest:
    assert comes_true(lambda: _state(request) in states, limit=limit), f"still {_state(request)}, not {states}"
    request.refresh_from_db()
    return request


def _write_began(request: ResetRequest) -> bool:
    return Attempt.objects.filter(request=request, write_began_at__isnull=False).exists()


def test_workers_carry_a_request_from_asking_to_applied(
    kafka_scene: Callable[[int], KafkaScene], start_worker: Callable[..., Worker]
) -> None:
    scene = kafka_scene(3)
    start_worker()
    request = _becomes(scene.ask(), State.PLANNED)
    factories.approve(request, scene.cast.bob)
    request = _becomes(request, State.APPLIED)
    assert scene.committed() == {0: 0, 1: 0, 2: 0}
    assert verifying.verify().whole


def test_the_clock_alone_carries_it_when_every_message_is_lost(
    kafka_scene: Callable[[int], KafkaScene], start_worker: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    from kafkaconsole.celery import app

    monkeypatch.setattr(app, "send_task", lambda *args, **kwargs: None)
    scene = kafka_scene(1)
    start_worker()
    request = _becomes(scene.ask(), State.PLANNED)
    factories.approve(request, scene.cast.bob)
    _becomes(request, State.APPLIED)
    assert scene.committed() == {0: 0}


def test_a_worker_that_starts_takes_up_what_is_left_without_waiting_for_beat(
    kafka_scene: Callable[[int], KafkaScene], start_worker: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    from kafkaconsole.celery import app

    monkeypatch.setattr(app, "send_task", lambda *args, **kwargs: None)
    scene = kafka_scene(1)
    request = scene.approved()
    start_worker(beat=False)
    _becomes(request, State.APPLIED, limit=30)
    assert scene.committed() == {0: 0}


def test_a_worker_killed_while_writing_ends_in_true_results(
    kafka_scene: Callable[[int], KafkaScene], start_worker: Callable[..., Worker], breakable_one: LocalKafka
) -> None:
    """The broker is stopped as soon as the write has begun, so that the kill falls into it; both come back later."""
    scene = kafka_scene(PARTITIONS)
    request, worker = _caught_in_the_write(scene, start_worker, breakable_one)
    assert _state(request) is State.EXECUTING
    before = factories.attempt_of(request)
    breakable_one.mend()
    start_worker()
    request = _becomes(request, *FINAL)
    assert request.state in (State.APPLIED, State.PARTLY_APPLIED)
    attempt = factories.attempt_of(request)
    assert attempt.pk == before.pk  # what had begun to write is settled, never begun again
    held = scene.committed()
    for row in attempt.results.all():
        assert row.state in ("done", "failed"), row.state
        expected = row.target if row.state == "done" else row.before
        assert held[row.partition] == expected
    assert all(0 <= offset <= MAX_OFFSET for offset in held.values())
    assert verifying.verify().whole


def _caught_in_the_write(
    scene: KafkaScene, start_worker: Callable[..., Worker], kafka: LocalKafka
) -> tuple[ResetRequest, Worker]:
    """A worker that is dead, with an attempt that had begun to write and has no end."""
    for _ in range(ROUNDS):
        request = scene.approved({"kind": "to_earliest"})
        worker = start_worker()
        assert comes_true(lambda: _write_began(request), limit=90, every=0.002)  # noqa: B023  used at once
        kafka.pause_node(1)
        worker.kill()
        if _state(request) is State.EXECUTING:
            return request, worker
        kafka.mend()
    raise AssertionError(f"{ROUNDS} times the worker was quicker than the kill")


def test_a_worker_killed_before_the_write_is_followed_by_a_new_attempt(
    kafka_scene: Callable[[int], KafkaScene], start_worker: Callable[..., Worker], breakable_one: LocalKafka
) -> None:
    """The broker is stopped before the worker is there: the worker is killed while it waits for the first answer."""
    scene = kafka_scene(1)
    request = scene.approved()
    breakable_one.pause_node(1)
    worker = start_worker()
    assert comes_true(lambda: "resets.execute" in worker.log(), limit=60)
    worker.kill()
    assert _state(request) in (State.APPROVED, State.WAITING)
    killed_at = timezone.now()
    breakable_one.mend()
    start_worker()
    request = _becomes(request, State.APPLIED, limit=TAKEN_UP_WITHIN)
    assert factories.attempt_of(request).started_at - killed_at < timedelta(seconds=TAKEN_UP_WITHIN)
    assert scene.committed() == {0: 0}


def test_a_worker_killed_while_it_plans_is_followed_by_another(
    kafka_scene: Callable[[int], KafkaScene], start_worker: Callable[..., Worker], breakable_one: LocalKafka
) -> None:
    """Another worker is there, and its beat: the plan comes from it as soon as the lease of the first has run out."""
    scene = kafka_scene(1)
    breakable_one.pause_node(1)
    worker = start_worker(beat=False)
    request = scene.ask()
    assert comes_true(lambda: _held_until(request) is not None, limit=60)
    worker.kill()
    breakable_one.mend()
    start_worker()
    _becomes(request, State.PLANNED, limit=TAKEN_UP_WITHIN)


def test_a_lease_lives_as_long_as_its_worker(
    kafka_scene: Callable[[int], KafkaScene], start_worker: Callable[..., Worker], breakable_one: LocalKafka
) -> None:
    """A slow cluster is no dead worker: while the broker is silent nobody else begins the same plan."""
    scene = kafka_scene(1)
    breakable_one.pause_node(1)
    worker = start_worker()
    request = scene.ask()
    assert comes_true(lambda: _held_until(request) is not None, limit=60)
    first = _held_until(request)
    assert first is not None
    assert comes_true(lambda: (_held_until(request) or first) > first + timedelta(seconds=5), limit=15)
    breakable_one.mend()
    _becomes(request, State.PLANNED)
    assert worker.log().count("resets.plan") >= 1
    assert [event.verb for event in AuditEvent.objects.all()].count("reset.planned") == 1


def _held_until(request: ResetRequest) -> datetime | None:
    """The end of the lease of whoever works at the request; None while nobody does."""
    return (
        ResetRequest.objects.filter(holder__isnull=False)
        .values_list("nudge_at", flat=True)
        .filter(pk=request.pk)
        .first()
    )
