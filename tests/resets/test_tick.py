"""The clock: whatever a lost message left behind is sent again, what is over expires, what was lost is settled."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.resets import actions, queries
from kafkaconsole.resets.models import Attempt, Preview, ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.nudges import Sent
from tests.scene import Scene

Messages = list[tuple[str, dict[str, object]]]
Tick = Callable[[], Messages]


@pytest.fixture
def tick(sent: Sent, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Tick:
    """One tick, and the messages that it sent."""

    def once() -> Messages:
        sent.messages.clear()
        with django_capture_on_commit_callbacks(execute=True):
            actions.tick()
        return list(sent.messages)

    return once


def _due(request: ResetRequest) -> None:
    ResetRequest.objects.filter(pk=request.pk).update(nudge_at=timezone.now() - timedelta(seconds=1))


@pytest.mark.parametrize(
    ("state", "task"),
    [(State.PLANNING, "resets.plan"), (State.APPROVED, "resets.execute"), (State.WAITING, "resets.execute")],
)
def test_a_lost_message_is_sent_again_and_not_at_once_again(scene: Scene, tick: Tick, state: State, task: str) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    _due(request)
    assert tick() == [(task, {"request_id": request.pk})]
    assert tick() == []


@pytest.mark.parametrize("state", [State.PLANNED, State.STALE, State.APPLIED, State.CANCELLED, State.REJECTED])
def test_nothing_is_sent_for_what_waits_for_people_or_is_over(scene: Scene, tick: Tick, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    assert request.nudge_at is None
    assert tick() == []


def test_a_message_that_may_still_come_is_not_sent_again(scene: Scene, tick: Tick) -> None:
    factories.ask(scene.cast.alice)
    assert tick() == []


def test_a_lost_preview_is_sent_again(scene: Scene, tick: Tick) -> None:
    row = actions.preview(by=scene.cast.alice, change_json=factories.make_change())
    Preview.objects.update(nudge_at=timezone.now())
    assert tick() == [("resets.preview", {"preview_id": str(row.pk)})]


def test_an_attempt_whose_lease_ran_out_is_settled(scene: Scene, tick: Tick) -> None:
    request = factories.request_in(State.EXECUTING, scene.cast, scene.kafka)
    assert tick() == []
    Attempt.objects.update(lease_until=timezone.now())
    assert tick() == [("resets.settle", {"attempt_id": factories.attempt_of(request).pk})]


@pytest.mark.parametrize(
    "state", [State.PLANNING, State.PLANNED, State.PLAN_FAILED, State.APPROVED, State.WAITING, State.STALE]
)
def test_what_nobody_finished_in_time_expires(scene: Scene, tick: Tick, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    ResetRequest.objects.filter(pk=request.pk).update(expires_at=timezone.now())
    assert tick() == []
    request.refresh_from_db()
    assert request.state == "expired"
    assert AuditEvent.objects.get(verb="reset.expired").facts["state"] == state.value


@pytest.mark.parametrize("state", [State.EXECUTING, State.UNCERTAIN, State.APPLIED])
def test_what_is_executing_or_over_does_not_expire(scene: Scene, tick: Tick, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    ResetRequest.objects.filter(pk=request.pk).update(expires_at=timezone.now())
    tick()
    request.refresh_from_db()
    assert request.state == state


def test_two_clocks_that_saw_the_same_row_send_one_message(
    scene: Scene, tick: Tick, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    _due(request)
    rows = list(queries.left_behind(timezone.now()))
    assert len(tick()) == 1
    monkeypatch.setattr(queries, "left_behind", lambda now: rows)
    assert tick() == []
