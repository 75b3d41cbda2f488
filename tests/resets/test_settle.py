"""Settling: lost answers, late writes, and attempts that their worker left behind (kafka-facts 5.11 and 5.12)."""

from __future__ import annotations

import contextlib
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.kafka.values import Problem, ProblemKind, WriteAnswer, WriteOutcome
from kafkaconsole.resets import actions
from kafkaconsole.resets.execution import LeaseLost, carry_out, claims
from kafkaconsole.resets.execution.settling import TRIES
from kafkaconsole.resets.models import Attempt, ResetRequest
from kafkaconsole.resets.states import ResultState, State
from tests import factories
from tests.scene import Scene

GROUP = factories.GROUP


@pytest.fixture
def approved(scene: Scene) -> ResetRequest:
    return factories.request_in(State.APPROVED, scene.cast, scene.kafka)


def _settle(request: ResetRequest, scene: Scene) -> ResetRequest:
    """The lease has run out, and a worker takes the attempt over."""
    attempt = factories.attempt_of(request)
    Attempt.objects.filter(pk=attempt.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    actions.settle(attempt_id=attempt.pk, connect=scene.kafka.connect)
    request.refresh_from_db()
    return request


@pytest.mark.parametrize("applied", [True, False])
def test_a_lost_answer_is_settled_by_the_same_numbers_again(
    scene: Scene, approved: ResetRequest, applied: bool
) -> None:
    scene.kafka.lose_answers(times=2, applied=applied)
    request = factories.execute(approved, scene.kafka)
    assert request.state == "applied"
    assert factories.offsets_in(scene.kafka) == [0, 0, 0]
    assert len({frozenset(commit.targets.items()) for commit in scene.kafka.commits}) == 1


def test_a_write_that_appears_late_is_not_taken_for_lost(scene: Scene, approved: ResetRequest) -> None:
    scene.kafka.lose_answers(times=1, applied=True, after_readings=2)
    assert factories.execute(approved, scene.kafka).state == "applied"
    assert factories.offsets_in(scene.kafka) == [0, 0, 0]


def test_answers_that_stay_away_leave_it_uncertain_and_later_settled(scene: Scene, approved: ResetRequest) -> None:
    scene.kafka.lose_answers(times=TRIES + 1, applied=False)
    request = factories.execute(approved, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("uncertain", "reset.uncertain")
    assert factories.trouble(request)["facts"]["unknown"] == 3
    assert factories.attempt_of(request).lease_until > timezone.now()
    request = _settle(request, scene)
    assert (request.state, request.problem) == ("applied", None)
    assert [one.verb for one in AuditEvent.objects.order_by("number")][-2:] == ["reset.uncertain", "reset.applied"]


def test_nobody_writes_again_over_what_someone_else_committed(scene: Scene, approved: ResetRequest) -> None:
    def another_consumer_commits() -> None:
        if scene.kafka.opened > 3:
            scene.kafka.set_committed(GROUP, {factories.hello(1): factories.at(2)})

    scene.kafka.lose_answers(times=1, applied=False)
    scene.kafka.before("committed_of", another_consumer_commits, once=False)
    request = factories.execute(approved, scene.kafka)
    assert request.state == "uncertain"
    assert factories.trouble(request)["facts"]["why"]["facts"]["differences"] == [
        {"what": "committed", "topic": "hello", "partition": 1, "planned": [3, 0], "found": 2}
    ]
    results = {row.partition: (row.state, row.after) for row in factories.attempt_of(request).results.all()}
    assert results == {0: ("unknown", 3), 1: ("unknown", 2), 2: ("unknown", 3)}
    assert factories.offsets_in(scene.kafka) == [3, 2, 3]


def test_nobody_writes_again_while_the_group_is_in_use(scene: Scene, approved: ResetRequest) -> None:
    scene.kafka.lose_answers(times=1, applied=True)
    scene.kafka.before("commit", lambda: None)
    opened = scene.kafka.opened

    def join_after_the_write() -> None:
        if scene.kafka.opened > opened + 1:
            scene.kafka.join(GROUP, topics=["hello"]) if not scene.kafka.group(GROUP).members else None

    scene.kafka.before("describe_groups", join_after_the_write, once=False)
    request = factories.execute(approved, scene.kafka)
    assert request.state == "applied"  # what reads as planned is done, whatever answer was lost
    assert len(scene.kafka.commits) == 1


def test_a_refusal_of_the_second_write_does_not_settle_the_first(scene: Scene, approved: ResetRequest) -> None:
    """The group is in use by then: that the second write was refused says nothing of the first one."""
    scene.kafka.lose_answers(times=1, applied=False)
    commits = iter(range(100))
    refused = WriteAnswer(WriteOutcome.NOT_WRITTEN, Problem(ProblemKind.ACTIVE_MEMBERS, "UNKNOWN_MEMBER_ID"))

    def refuse_from_now() -> None:
        if next(commits) == 1:
            for number in range(3):
                scene.kafka.answer("commit", factories.hello(number), refused)

    scene.kafka.before("commit", refuse_from_now, once=False)
    request = factories.execute(approved, scene.kafka)
    assert request.state == "uncertain"
    assert {row.state for row in factories.attempt_of(request).results.all()} == {"unknown"}


def test_a_worker_killed_before_the_write_leaves_a_request_that_is_tried_again(
    scene: Scene, approved: ResetRequest
) -> None:
    looks = iter(range(100))

    def killed() -> None:
        if next(looks) == 1:
            raise factories.Killed

    scene.kafka.before("describe_cluster", killed, once=False)
    with contextlib.suppress(factories.Killed):
        factories.execute(approved, scene.kafka)
    approved.refresh_from_db()
    assert approved.state == "executing"
    request = _settle(approved, scene)
    assert (request.state, factories.trouble(request)["code"]) == ("waiting", "reset.interrupted")
    assert factories.attempt_of(request).state == "stopped"
    assert factories.execute(request, scene.kafka).state == "applied"
    assert request.attempts.count() == 2


@pytest.mark.parametrize("reached", [True, False])
def test_a_worker_killed_at_the_write_leaves_an_attempt_that_is_settled(
    scene: Scene, approved: ResetRequest, reached: bool
) -> None:
    request = factories.request_in(State.EXECUTING, scene.cast, scene.kafka)
    assert {row.state for row in factories.attempt_of(request).results.all()} == {"unknown"}
    if reached:
        scene.kafka.set_committed(GROUP, {factories.hello(n): factories.at(0) for n in range(3)})
    request = _settle(request, scene)
    assert request.state == "applied"
    assert {row.state for row in factories.attempt_of(request).results.all()} == {"done"}
    assert factories.offsets_in(scene.kafka) == [0, 0, 0]


def test_what_a_killed_worker_never_sent_stays_unsent(scene: Scene) -> None:
    scene.kafka.add_topic("wide", 700)
    change = factories.make_change(scope={"topics": [{"topic": "wide"}]}, strategy={"kind": "to_latest"})
    request = factories.approve(
        factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka), scene.cast.bob
    )
    runs = iter(range(100))

    def killed_at_the_second_run() -> None:
        if next(runs) == 1:
            raise factories.Killed

    scene.kafka.before("commit", killed_at_the_second_run, once=False)
    with contextlib.suppress(factories.Killed):
        factories.execute(request, scene.kafka)
    request = _settle(request, scene)
    assert request.state == "applied"  # the second run was marked as sent, so it was settled by writing it again
    assert len(scene.kafka.commits) == 2


def test_runs_that_never_began_are_told_as_not_sent(scene: Scene) -> None:
    scene.kafka.add_topic("wide", 1100)
    change = factories.make_change(scope={"topics": [{"topic": "wide"}]}, strategy={"kind": "to_latest"})
    request = factories.approve(
        factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka), scene.cast.bob
    )
    runs = iter(range(100))
    scene.kafka.before("commit", lambda: factories._killed() if next(runs) == 1 else None, once=False)
    with contextlib.suppress(factories.Killed):
        factories.execute(request, scene.kafka)
    request = _settle(request, scene)
    assert (
        request.state,
        factories.trouble(request)["facts"]["done"],
        factories.trouble(request)["facts"]["total"],
    ) == (
        "partly_applied",
        1000,
        1100,
    )
    unsent = factories.attempt_of(request).results.filter(state="failed")
    assert {factories.trouble(row)["code"] for row in unsent if row.problem} == {"reset.not_sent"}


def test_an_attempt_is_not_taken_over_while_its_worker_holds_it(scene: Scene) -> None:
    request = factories.request_in(State.EXECUTING, scene.cast, scene.kafka)
    actions.settle(attempt_id=factories.attempt_of(request).pk, connect=scene.kafka.connect)
    request.refresh_from_db()
    assert request.state == "executing"


def test_a_worker_that_was_paused_beyond_its_lease_does_not_write(scene: Scene) -> None:
    request = factories.request_in(State.EXECUTING, scene.cast, scene.kafka)
    paused = factories.attempt_of(request)
    request = _settle(request, scene)
    assert request.state == "applied"
    scene.kafka.set_committed(GROUP, {factories.hello(n): factories.at(3) for n in range(3)})
    written = len(scene.kafka.commits)
    for state in ResultState:
        paused.results.update(state=state)
        with pytest.raises(LeaseLost):
            carry_out(admin=scene.kafka, attempt=paused, states=tuple(ResultState))
    assert len(scene.kafka.commits) == written
    assert factories.offsets_in(scene.kafka) == [3, 3, 3]


def test_a_worker_paused_between_the_check_and_the_write_does_not_write(scene: Scene, approved: ResetRequest) -> None:
    """Its lease was fine when it was checked. It sleeps; meanwhile another settles, and someone commits on."""

    def paused_for_long() -> None:
        clock.shift(settings.ATTEMPT_LEASE)
        request = _settle(approved, scene)
        assert request.state == "applied"
        scene.kafka.set_committed(GROUP, {factories.hello(n): factories.at(2) for n in range(3)})

    scene.kafka.before("commit", paused_for_long)
    with time_machine.travel(timezone.now()) as clock:
        request = factories.execute(approved, scene.kafka)
    assert factories.offsets_in(scene.kafka) == [2, 2, 2]
    assert len(scene.kafka.commits) == 1
    assert request.state == "applied"
    assert {(row.state, row.after) for row in factories.attempt_of(request).results.all()} == {("done", 0)}


def test_a_write_that_waits_for_half_its_lease_is_not_sent_any_more(scene: Scene, approved: ResetRequest) -> None:
    """The broker is slow to say who coordinates: nothing was sent, so the request waits for a new attempt."""
    scene.kafka.before("commit", lambda: clock.shift(settings.ATTEMPT_LEASE / 2))
    with time_machine.travel(timezone.now()) as clock:
        request = factories.execute(approved, scene.kafka)
        assert (request.state, factories.trouble(request)["code"]) == ("waiting", "kafka.unavailable")
        assert scene.kafka.commits == []
        assert factories.execute(request, scene.kafka).state == "applied"


def test_what_a_worker_read_before_it_lost_its_lease_is_not_noted(scene: Scene, approved: ResetRequest) -> None:
    """It reads back, sleeps, and would say that someone committed over what another worker has long settled."""

    def paused_for_long() -> None:
        if len(scene.kafka.commits) == 1:
            clock.shift(settings.ATTEMPT_LEASE)
            assert _settle(approved, scene).state == "applied"
            scene.kafka.set_committed(GROUP, {factories.hello(n): factories.at(2) for n in range(3)})

    reads = iter(range(100))
    scene.kafka.before("committed_of", lambda: paused_for_long() if next(reads) == 2 else None, once=False)
    with time_machine.travel(timezone.now()) as clock:
        request = factories.execute(approved, scene.kafka)
    assert request.state == "applied"
    assert {(row.state, row.after) for row in factories.attempt_of(request).results.all()} == {("done", 0)}


def test_a_lease_that_ran_out_is_not_lengthened_even_if_nobody_took_it(scene: Scene) -> None:
    request = factories.request_in(State.EXECUTING, scene.cast, scene.kafka)
    attempt = factories.attempt_of(request)
    claims.hold(attempt)
    Attempt.objects.filter(pk=attempt.pk).update(lease_until=timezone.now())
    with pytest.raises(LeaseLost):
        claims.hold(attempt)


def test_a_plan_that_is_not_the_approved_one_is_not_carried_out(scene: Scene) -> None:
    request = factories.request_in(State.EXECUTING, scene.cast, scene.kafka)
    attempt = factories.attempt_of(request)
    attempt.results.update(state="intended")
    other = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    attempt.plan = other.the_plan
    written = len(scene.kafka.commits)
    with pytest.raises(LeaseLost):
        carry_out(admin=scene.kafka, attempt=attempt, states=(ResultState.INTENDED,))
    assert len(scene.kafka.commits) == written


def test_the_cluster_going_away_while_settling_is_tried_again(scene: Scene) -> None:
    request = factories.request_in(State.EXECUTING, scene.cast, scene.kafka)
    scene.kafka.go_down()
    request = _settle(request, scene)
    assert request.state == "uncertain"
    assert factories.trouble(request)["facts"]["why"]["code"] == "kafka.unavailable"
    scene.kafka.come_up()
    assert _settle(request, scene).state == "applied"


def test_an_uncertain_request_holds_the_group(scene: Scene) -> None:
    uncertain = factories.request_in(State.UNCERTAIN, scene.cast, scene.kafka)
    assert uncertain.state == "uncertain"
    other = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    scene.kafka.lose_answers(times=0)
    other = factories.execute(other, scene.kafka)
    assert (other.state, factories.trouble(other)["code"]) == ("waiting", "reset.already_running")
