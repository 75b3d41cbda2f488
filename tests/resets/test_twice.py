"""Whatever comes twice is done once: messages, ticks, workers at the same row, a task run again after a lost ack."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Attempt, Preview, ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.nudges import Sent
from tests.scene import Scene

AT_ONCE = 4
LIMIT = 60


def _at_once(work: Callable[[], object]) -> None:
    """Several threads, each with a connection of its own, begin the same work at the same moment."""
    ready = threading.Barrier(AT_ONCE)

    def one() -> None:
        try:
            ready.wait(LIMIT)
            work()
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for done in [pool.submit(one) for _ in range(AT_ONCE)]:
            done.result(LIMIT)


def _lease_ran_out(attempt: Attempt) -> None:
    Attempt.objects.filter(pk=attempt.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


@pytest.mark.django_db(transaction=True)
def test_workers_that_get_the_same_request_at_once_write_once(scene: Scene) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    _at_once(lambda: actions.execute(request_id=request.pk, connect=scene.kafka.connect))
    request.refresh_from_db()
    assert (request.state, request.attempts.count(), len(scene.kafka.commits)) == ("applied", 1, 1)
    assert AuditEvent.objects.filter(verb="reset.executing").count() == 1


@pytest.mark.django_db(transaction=True)
def test_workers_that_get_the_same_lost_attempt_at_once_settle_it_once(scene: Scene) -> None:
    request = factories.request_in(State.EXECUTING, scene.cast, scene.kafka)
    attempt = factories.attempt_of(request)
    _lease_ran_out(attempt)
    _at_once(lambda: actions.settle(attempt_id=attempt.pk, connect=scene.kafka.connect))
    request.refresh_from_db()
    assert (request.state, len(scene.kafka.commits)) == ("applied", 1)
    assert AuditEvent.objects.filter(verb="reset.applied").count() == 1


@pytest.mark.django_db(transaction=True)
def test_workers_that_get_the_same_plan_at_once_store_it_once(scene: Scene) -> None:
    request = factories.ask(scene.cast.alice)
    connect, records = scene.kafka.connect, scene.kafka.connect_records
    _at_once(lambda: actions.make_plan(request_id=request.pk, connect=connect, connect_records=records))
    request.refresh_from_db()
    assert (request.state, request.plans.count()) == ("planned", 1)
    assert AuditEvent.objects.filter(verb="reset.planned").count() == 1


@pytest.mark.django_db(transaction=True)
def test_ticks_at_once_send_each_message_once(scene: Scene, sent: Sent) -> None:
    requests = [factories.request_in(State.APPROVED, scene.cast, scene.kafka) for _ in range(3)]
    preview = actions.preview(by=scene.cast.alice, change_json=factories.make_change())
    late = timezone.now() - timedelta(seconds=1)
    ResetRequest.objects.update(nudge_at=late)
    Preview.objects.update(nudge_at=late)
    sent.messages.clear()
    _at_once(actions.tick)
    messages = sorted(sent.messages, key=str)
    expected = [("resets.execute", {"request_id": request.pk}) for request in requests]
    assert messages == sorted([*expected, ("resets.preview", {"preview_id": str(preview.pk)})], key=str)


@pytest.mark.django_db(transaction=True)
def test_ticks_at_once_expire_a_request_once(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    ResetRequest.objects.filter(pk=request.pk).update(expires_at=timezone.now())
    _at_once(actions.tick)
    request.refresh_from_db()
    assert (request.state, AuditEvent.objects.filter(verb="reset.expired").count()) == ("expired", 1)


def test_tasks_run_again_after_a_lost_ack_change_nothing(scene: Scene) -> None:
    """Each had ended; its message was not taken off the queue, and comes again."""
    preview = actions.preview(by=scene.cast.alice, change_json=factories.make_change())
    connect, records = scene.kafka.connect, scene.kafka.connect_records
    actions.make_preview(preview_id=preview.pk, connect=connect, connect_records=records)
    request = factories.request_in(State.APPLIED, scene.cast, scene.kafka)
    attempt = factories.attempt_of(request)
    _lease_ran_out(attempt)
    before = _everything(scene)
    actions.make_preview(preview_id=preview.pk, connect=connect, connect_records=records)
    actions.make_plan(request_id=request.pk, connect=connect, connect_records=records)
    actions.execute(request_id=request.pk, connect=connect)
    actions.settle(attempt_id=attempt.pk, connect=connect)
    assert _everything(scene) == before


def _everything(scene: Scene) -> tuple[object, ...]:
    """All rows that such a task may touch, and whether anyone went to the cluster."""
    rows = [list(model.objects.order_by("pk").values()) for model in (Preview, ResetRequest, Attempt, AuditEvent)]
    return (*rows, scene.kafka.opened, len(scene.kafka.commits))
