"""A worker that is paused (SIGSTOP) beyond its lease, and wakes: it writes nothing, and notes nothing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.utils import timezone
from pytest_django import Settings

from devtools.kafka.cluster import LocalKafka
from devtools.kafka.processes import start_bound
from devtools.kafka.waiting import comes_true
from kafkaconsole.audit import verifying
from kafkaconsole.clusters import connections
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Attempt, ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.resets.kafka_scene import KafkaScene, kafka_scene
from tests.workers import QUICK, Worker, database_url

__all__ = ["kafka_scene"]

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_process_stopped_right_before_it_sends_the_write_does_not_send_it(
    kafka_scene: Callable[[int], KafkaScene], settings: Settings
) -> None:
    """It has the lease and knows the coordinator; then it sleeps until another has settled and the group has read on."""
    settings.ATTEMPT_LEASE = timedelta(seconds=int(QUICK["ATTEMPT_LEASE_S"]))
    scene = kafka_scene(1)
    request = scene.approved({"kind": "to_earliest"})
    environment = {**os.environ, **QUICK, "DATABASE_URL": database_url()}
    command = [sys.executable, "-m", "tests.resets.stopped_at_the_write", str(request.pk)]
    child = start_bound(command, folder=django_settings.BASE_DIR, environment=environment)
    try:
        assert comes_true(lambda: _is_stopped(child.pid), limit=60)
        attempt = factories.attempt_of(request)
        assert (attempt.write_began_at is not None, scene.committed()) == (True, {0: 3})
        _settled_by_another(attempt)
        assert scene.committed() == {0: 0}
        scene.commit(2, 1)
        os.kill(child.pid, signal.SIGCONT)
        assert child.wait(60) == 0
    finally:
        child.kill()
        child.wait()
    request.refresh_from_db()
    assert (request.state, request.attempts.count()) == ("applied", 1)
    assert scene.committed() == {0: 2}
    (row,) = attempt.results.all()
    assert (row.state, row.after) == ("done", 0)


def test_a_paused_worker_that_wakes_leaves_everything_to_the_one_that_took_over(
    kafka_scene: Callable[[int], KafkaScene], start_worker: Callable[..., Worker], breakable_one: LocalKafka
) -> None:
    """The broker is silent while the first worker checks, so the pause falls before its claim or its write."""
    scene = kafka_scene(1)
    request = scene.approved({"kind": "to_earliest"})
    breakable_one.pause_node(1)
    paused = start_worker()
    assert comes_true(lambda: ResetRequest.objects.filter(pk=request.pk, holder__isnull=False).exists(), limit=60)
    paused.pause()
    breakable_one.mend()
    start_worker()
    assert comes_true(lambda: _state(request) is State.APPLIED, limit=90)
    scene.commit(2, 1)
    paused.resume()
    assert comes_true(lambda: _has_ended(paused, "resets.execute"), limit=60)
    assert (_state(request), request.attempts.filter(state="applied").count()) == (State.APPLIED, 1)
    assert scene.committed() == {0: 2}
    assert verifying.verify().whole


def _has_ended(worker: Worker, task: str) -> bool:
    """Whether the first message of that task has been worked off, by the worker's own log."""
    begun = re.search(rf"task=.?{task}.? .*task_id=(\S+)", worker.log())
    return begun is not None and re.search(rf"task_succeeded.*{begun[1]}", worker.log()) is not None


def _is_stopped(pid: int) -> bool:
    """Whether the process is in the state that SIGSTOP leaves it in."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return shown.stdout.strip().startswith("T")


def _settled_by_another(attempt: Attempt) -> None:
    assert comes_true(lambda: Attempt.objects.get(pk=attempt.pk).lease_until <= timezone.now(), limit=30)
    actions.settle(attempt_id=attempt.pk, connect=connections.offset_admin)
    attempt.refresh_from_db()
    assert attempt.state == "applied"


def _state(request: ResetRequest) -> State:
    return State(ResetRequest.objects.values_list("state", flat=True).get(pk=request.pk))
