"""Uncertain, and nothing may be written again: it is watched, ends in bounded time, and says what is true."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.utils import timezone

from kafkaconsole.display.sentences import sentence
from kafkaconsole.kafka.errors import KafkaUnavailable
from kafkaconsole.kafka.values import Problem, ProblemKind, WriteAnswer, WriteOutcome
from kafkaconsole.resets import actions, queries
from kafkaconsole.resets.models import Attempt, ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.scene import Scene

GROUP = factories.GROUP
Clock = time_machine.Traveller
Results = dict[int, tuple[str, str | None, int | None]]


@pytest.fixture
def clock() -> Iterator[Clock]:
    """Time that a test moves."""
    with time_machine.travel(timezone.now()) as moved:
        yield moved


def _uncertain(scene: Scene, happens: Callable[[], object], *, applied: bool = False) -> ResetRequest:
    """A request to the start of three partitions that stood at 3: the answer is lost, then something happens."""
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    scene.kafka.lose_answers(times=1, applied=applied)
    scene.kafka.before("commit", lambda: scene.kafka.before("connect", happens))
    request = factories.execute(request, scene.kafka)
    assert request.state == "uncertain"
    return request


def _look(request: ResetRequest, scene: Scene) -> ResetRequest:
    """What a tick has a worker do each half minute."""
    attempt = factories.attempt_of(request)
    Attempt.objects.filter(pk=attempt.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    actions.settle(attempt_id=attempt.pk, connect=scene.kafka.connect)
    request.refresh_from_db()
    return request


def _watched(request: ResetRequest, scene: Scene, clock: Clock) -> ResetRequest:
    """Until a write whose answer was lost is not on its way any more."""
    clock.shift(settings.LATE_WRITE - timedelta(seconds=1))
    assert _look(request, scene).state == "uncertain"
    clock.shift(timedelta(seconds=1))
    return _look(request, scene)


def _results(request: ResetRequest) -> Results:
    rows = factories.attempt_of(request).results.all()
    return {row.partition: (row.state, row.problem["code"] if row.problem else None, row.after) for row in rows}


def _said(problem: dict[str, Any]) -> str:
    return sentence(problem["code"], problem["facts"])


def _someone_commits(scene: Scene, **offsets: int) -> Callable[[], None]:
    targets = {factories.hello(int(name[1:])): factories.at(offset) for name, offset in offsets.items()}
    return lambda: scene.kafka.set_committed(GROUP, targets)


def test_what_someone_else_committed_ends_the_watch_with_what_was_found(scene: Scene, clock: Clock) -> None:
    request = _uncertain(scene, _someone_commits(scene, p1=2))
    commits = len(scene.kafka.commits)
    request = _watched(request, scene, clock)
    assert (request.state, factories.trouble(request)["code"]) == ("partly_applied", "reset.others_changed")
    assert _results(request) == {
        0: ("failed", "reset.unchanged", 3),
        1: ("failed", "reset.found_another", 2),
        2: ("failed", "reset.unchanged", 3),
    }
    assert len(scene.kafka.commits) == commits
    told = _said(factories.trouble(request))
    assert "on 1 of 3 partitions, the first is hello-1 (2 found, 3 before, 0 planned)" in told
    assert "0 are as planned, 2 as before" in told


def test_the_group_is_free_again_afterwards(scene: Scene, clock: Clock) -> None:
    request = _watched(_uncertain(scene, _someone_commits(scene, p1=2)), scene, clock)
    other = factories.execute(factories.request_in(State.APPROVED, scene.cast, scene.kafka), scene.kafka)
    assert (request.state, other.state) == ("partly_applied", "applied")


def test_partitions_that_read_as_planned_are_done(scene: Scene, clock: Clock) -> None:
    request = _watched(_uncertain(scene, _someone_commits(scene, p1=2), applied=True), scene, clock)
    assert _results(request) == {
        0: ("done", None, 0),
        1: ("failed", "reset.found_another", 2),
        2: ("done", None, 0),
    }
    assert (factories.trouble(request)["facts"]["done"], request.state) == (2, "partly_applied")


def test_a_group_that_came_back_to_the_old_offsets_ends_as_failed(scene: Scene, clock: Clock) -> None:
    """Its consumers are back, so the same numbers cannot be written again; nothing of ours is in force."""
    request = _uncertain(scene, lambda: scene.kafka.join(GROUP, topics=["hello"]))
    assert "the group is in use (Stable)" in _said(factories.trouble(request)["facts"]["why"])
    request = _watched(request, scene, clock)
    assert (request.state, factories.trouble(request)["code"]) == ("failed", "reset.nothing_written")
    assert {found[1] for found in _results(request).values()} == {"reset.unchanged"}
    assert queries.written_attempt_of(request) is None  # so there is nothing to undo


def test_a_group_that_came_back_and_read_on_is_told(scene: Scene, clock: Clock) -> None:
    def comes_back() -> None:
        scene.kafka.join(GROUP, topics=["hello"])
        _someone_commits(scene, p0=1, p1=1, p2=1)()

    request = _watched(_uncertain(scene, comes_back, applied=True), scene, clock)
    assert request.state == "partly_applied"
    assert set(_results(request).values()) == {("failed", "reset.found_another", 1)}


def test_a_write_that_arrives_while_it_is_watched_is_done(scene: Scene, clock: Clock) -> None:
    request = _uncertain(scene, lambda: scene.kafka.join(GROUP, topics=["hello"]))
    clock.shift(settings.LATE_WRITE - timedelta(seconds=1))
    _someone_commits(scene, p0=0, p1=0, p2=0)()
    assert _look(request, scene).state == "applied"


def test_it_is_settled_by_writing_once_the_group_is_empty_again(scene: Scene, clock: Clock) -> None:
    request = _uncertain(scene, lambda: scene.kafka.join(GROUP, topics=["hello"]))
    scene.kafka.leave(GROUP)
    assert _look(request, scene).state == "applied"
    assert factories.offsets_in(scene.kafka) == [0, 0, 0]


def test_a_cluster_that_was_away_is_watched_anew(scene: Scene, clock: Clock) -> None:
    """What hung in a stalled broker may arrive when it wakes: the time counts only while it answers."""
    request = _uncertain(scene, _someone_commits(scene, p1=2))
    clock.shift(settings.LATE_WRITE)
    scene.kafka.go_down()
    assert _look(request, scene).state == "uncertain"
    scene.kafka.come_up()
    assert _look(request, scene).state == "uncertain"
    assert _watched(request, scene, clock).state == "partly_applied"


def test_offsets_that_cannot_be_read_are_not_watched(scene: Scene, clock: Clock) -> None:
    """The group is described, but its offsets are not told: nothing is concluded from that."""
    request = _uncertain(scene, lambda: scene.kafka.join(GROUP, topics=["hello"]))
    clock.shift(settings.LATE_WRITE)
    readings = iter(range(100))  # the first of each look tells why it is watched, the second would be the result
    scene.kafka.before("committed_of", lambda: _away() if next(readings) % 2 else None, once=False)
    assert _look(request, scene).state == "uncertain"
    assert {found[:1] for found in _results(request).values()} == {("unknown",)}


def _away() -> None:
    raise KafkaUnavailable(reason="timed_out")


def test_a_second_write_that_is_refused_for_good_ends_as_well(scene: Scene, clock: Clock) -> None:
    """The right was taken away between the two writes."""

    def refuse() -> None:
        answer = WriteAnswer(
            WriteOutcome.NOT_WRITTEN, Problem(ProblemKind.NOT_AUTHORIZED, "TOPIC_AUTHORIZATION_FAILED")
        )
        for number in range(3):
            scene.kafka.answer("commit", factories.hello(number), answer)

    request = _uncertain(scene, refuse)
    assert "the broker refuses it (TOPIC_AUTHORIZATION_FAILED)" in _said(factories.trouble(request)["facts"]["why"])
    request = _watched(request, scene, clock)
    assert (request.state, {found[1] for found in _results(request).values()}) == ("failed", {"reset.unchanged"})


def test_a_second_answer_that_is_lost_begins_the_watch_anew(scene: Scene, clock: Clock) -> None:
    request = _uncertain(scene, lambda: scene.kafka.join(GROUP, topics=["hello"]))
    clock.shift(settings.LATE_WRITE)
    scene.kafka.leave(GROUP)
    scene.kafka.lose_answers(times=1000, applied=False)
    assert _look(request, scene).state == "uncertain"
    scene.kafka.join(GROUP, topics=["hello"])
    assert _look(request, scene).state == "uncertain"
    assert _watched(request, scene, clock).state == "failed"


def test_a_worker_killed_at_the_second_write_begins_the_watch_anew(scene: Scene, clock: Clock) -> None:
    request = _uncertain(scene, lambda: scene.kafka.join(GROUP, topics=["hello"]))
    clock.shift(settings.LATE_WRITE)
    scene.kafka.leave(GROUP)
    scene.kafka.before("commit", factories._killed)
    with contextlib.suppress(factories.Killed):
        _look(request, scene)
    scene.kafka.join(GROUP, topics=["hello"])
    assert _look(request, scene).state == "uncertain"
    assert _watched(request, scene, clock).state == "failed"


def test_a_topic_that_was_made_again_is_told(scene: Scene, clock: Clock) -> None:
    """Its new partitions may even have the planned offset: that is somebody else's."""

    def again() -> None:
        scene.kafka.add_topic("hello", 3)
        _someone_commits(scene, p0=0)()

    request = _watched(_uncertain(scene, again), scene, clock)
    assert request.state == "partly_applied"
    assert {found[:2] for found in _results(request).values()} == {("failed", "reset.topic_replaced")}


def test_a_group_that_is_gone_is_told(scene: Scene, clock: Clock) -> None:
    request = _watched(_uncertain(scene, lambda: scene.kafka.remove_group(GROUP)), scene, clock)
    assert request.state == "partly_applied"
    assert set(_results(request).values()) == {("failed", "reset.found_another", None)}
    assert "none found" in _said(factories.trouble(request))


def test_another_cluster_at_the_same_address_proves_nothing(scene: Scene, clock: Clock) -> None:
    """Even if its group of the same name stands where the plan wanted it."""
    request = _uncertain(scene, lambda: scene.kafka.join(GROUP, topics=["hello"]))
    scene.kafka.cluster_id = "another"
    _someone_commits(scene, p0=0, p1=0, p2=0)()
    clock.shift(settings.LATE_WRITE)
    request = _look(request, scene)
    assert request.state == "uncertain"
    assert factories.trouble(request)["facts"]["why"]["code"] == "cluster.another_cluster"
    assert {found[0] for found in _results(request).values()} == {"unknown"}


def test_what_can_never_be_read_is_given_up_and_stays_said_as_unknown(scene: Scene, clock: Clock) -> None:
    request = _uncertain(scene, scene.kafka.go_down)
    clock.shift(settings.SETTLE_LIMIT - timedelta(minutes=1))
    assert _look(request, scene).state == "uncertain"
    clock.shift(timedelta(minutes=1))
    request = _look(request, scene)
    assert (request.state, factories.trouble(request)["code"]) == ("partly_applied", "reset.never_certain")
    assert {found[0] for found in _results(request).values()} == {"unknown"}
    assert "unknown what became of 3 of 3 partitions" in _said(factories.trouble(request))
    scene.kafka.come_up()
    actions.settle(attempt_id=factories.attempt_of(request).pk, connect=scene.kafka.connect)
    request.refresh_from_db()
    assert request.state == "partly_applied"


def test_page_and_api_show_what_was_found(scene: Scene, clock: Clock, client: Client) -> None:
    request = _watched(_uncertain(scene, _someone_commits(scene, p1=2)), scene, clock)
    client.force_login(scene.cast.alice)
    page = client.get(f"/requests/{request.pk}").content.decode()
    assert "someone else committed: 2 was found, neither the offset before (3) nor the planned one (0)" in page
    assert "is as before (3)" in page
    told = client.get(f"/api/v1/requests/{request.pk}").json()
    by_partition = {one["partition"]: one for one in told["attempts"][0]["results"]}
    assert told["state"] == "partly_applied"
    assert (by_partition[1]["after"], by_partition[1]["problem"]["code"]) == (2, "reset.found_another")
    assert (by_partition[0]["after"], by_partition[0]["problem"]["code"]) == (3, "reset.unchanged")
