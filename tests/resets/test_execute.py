"""Executing: all checks before, numbers as signed, read back after; and nothing at all when anything is otherwise."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.kafka.errors import AuthenticationRefused, KafkaUnavailable
from kafkaconsole.kafka.values import (
    Committed,
    GroupDescription,
    GroupId,
    GroupState,
    GroupType,
    Offset,
    TopicPartition,
)
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Attempt, ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.fakes.kafka import FakeKafka
from tests.scene import Scene

GROUP = factories.GROUP


@pytest.fixture
def approved(scene: Scene) -> ResetRequest:
    return factories.request_in(State.APPROVED, scene.cast, scene.kafka)


def _untouched(scene: Scene, request: ResetRequest) -> None:
    assert scene.kafka.commits == []
    assert not request.attempts.filter(write_began_at__isnull=False).exists()


def _in(request: ResetRequest) -> timedelta:
    """When a tick sends its message again, from now."""
    assert request.nudge_at is not None
    return request.nudge_at - timezone.now()


def test_the_signed_numbers_are_written_and_read_back(scene: Scene, approved: ResetRequest) -> None:
    request = factories.execute(approved, scene.kafka)
    assert (request.state, request.problem) == ("applied", None)
    assert [commit.targets for commit in scene.kafka.commits] == [
        {factories.hello(n): factories.at(0) for n in range(3)}
    ]
    attempt = factories.attempt_of(request)
    assert (attempt.number, attempt.state, attempt.problem) == (1, "applied", None)
    results = [(row.partition, row.before, row.target, row.after, row.state) for row in attempt.results.all()]
    assert results == [(n, 3, 0, 0, "done") for n in range(3)]
    verbs = [event.verb for event in AuditEvent.objects.order_by("number")][-2:]
    assert verbs == ["reset.executing", "reset.applied"]


@pytest.mark.parametrize("described", [GroupState.DEAD, GroupState.EMPTY, GroupState.MISSING])
def test_a_group_called_dead_with_commits_and_no_members_is_written(scene: Scene, described: GroupState) -> None:
    scene.kafka.group(GROUP).state = GroupState.DEAD
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    assert request.plan is not None and request.plan.group_state == "Dead"
    scene.kafka.answer(
        "describe_groups", GROUP, GroupDescription(GroupId(GROUP), GroupType.CLASSIC, described, "consumer")
    )
    assert factories.execute(request, scene.kafka).state == "applied"
    assert {row.after for row in factories.attempt_of(request).results.all()} == {0}


def test_a_group_called_dead_that_has_a_member_is_not_written(scene: Scene) -> None:
    scene.kafka.group(GROUP).state = GroupState.DEAD
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    scene.kafka.join(GROUP, client_id="late", topics=["hello"])
    scene.kafka.group(GROUP).state = GroupState.DEAD
    request = factories.execute(request, scene.kafka)
    assert request.state == "waiting" and request.problem is not None
    assert request.problem["code"] == "reset.group_still_active"
    _untouched(scene, request)


def test_the_snapshot_is_saved_before_the_write(scene: Scene) -> None:
    scene.kafka.set_committed(GROUP, {factories.hello(1): Committed(Offset(2), "text \0", 5)})
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    seen: list[object] = []

    def look() -> None:
        attempt = factories.attempt_of(request)
        rows = attempt.results.values_list("partition", "before", "before_metadata", "before_epoch", "state")
        seen.extend([attempt.snapshot_at, *rows.filter(partition=1)])

    scene.kafka.before("commit", look)
    factories.execute(request, scene.kafka)
    assert seen[0] is not None and seen[1] == (1, 2, "text \0", 5, "unknown")


def test_a_large_plan_is_written_run_by_run_with_live_progress(scene: Scene) -> None:
    scene.kafka.add_topic("wide", 1203)
    change = factories.make_change(scope={"topics": [{"topic": "wide"}]}, strategy={"kind": "to_latest"})
    request = factories.approve(
        factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka), scene.cast.bob
    )
    progress: list[int] = []
    results = Attempt.objects.filter(request=request)
    scene.kafka.before("commit", lambda: progress.append(results.filter(results__state="written").count()), once=False)
    request = factories.execute(request, scene.kafka)
    assert request.state == "applied"
    assert progress == [0, 500, 1000]
    assert [len(commit.targets) for commit in scene.kafka.commits] == [500, 500, 203]


def test_members_let_the_request_wait_and_are_named(scene: Scene, approved: ResetRequest) -> None:
    scene.kafka.join(GROUP, client_id="orders-1", host="10.0.0.7", topics=["hello"], instance_id="static-1")
    request = factories.execute(approved, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("waiting", "reset.group_still_active")
    (member,) = factories.trouble(request)["facts"]["members"]
    assert (member["client_id"], member["host"], member["instance_id"]) == ("orders-1", "10.0.0.7", "static-1")
    _untouched(scene, request)
    assert AuditEvent.objects.filter(verb="reset.waiting").count() == 1
    factories.execute(request, scene.kafka)
    assert AuditEvent.objects.filter(verb="reset.waiting").count() == 1  # looking again is not a change
    scene.kafka.leave(GROUP)
    assert factories.execute(request, scene.kafka).state == "applied"


def _topic_again(kafka: FakeKafka) -> None:
    kafka.add_topic("hello", 3)
    for number in range(3):
        for _ in range(3):
            kafka.produce("hello", number, b"x")


CHANGES: dict[str, tuple[Callable[[FakeKafka], object], str]] = {
    "a commit moved": (lambda kafka: kafka.set_committed(GROUP, {factories.hello(1): factories.at(2)}), "committed"),
    "only the text beside a commit changed": (
        lambda kafka: kafka.set_committed(GROUP, {factories.hello(1): Committed(Offset(3), "mine")}),
        "committed",
    ),
    "the topic was made again": (_topic_again, "topic_id"),
    "the topic is gone": (lambda kafka: kafka.remove_topic("hello"), "topic_id"),
    "the target left the log": (lambda kafka: kafka.delete_records("hello", 2, before=2), "log"),
    "another cluster answers": (lambda kafka: setattr(kafka, "cluster_id", "another"), "cluster_id"),
    "the group is gone": (lambda kafka: kafka.remove_group(GROUP), "group"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_difference_makes_the_request_stale(scene: Scene, approved: ResetRequest, what: str) -> None:
    happens, kind = CHANGES[what]
    happens(scene.kafka)
    request = factories.execute(approved, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("stale", "reset.stale")
    assert factories.trouble(request)["facts"]["differences"][0]["what"] == kind
    _untouched(scene, request)
    assert AuditEvent.objects.get(verb="reset.stale").facts["problem"] == request.problem


@pytest.mark.parametrize("what", CHANGES)
def test_a_difference_right_before_the_write_is_found_as_well(scene: Scene, approved: ResetRequest, what: str) -> None:
    happens, kind = CHANGES[what]
    looks = iter(range(100))

    def on_second_look() -> None:
        if next(looks) == 1:
            happens(scene.kafka)

    scene.kafka.before("describe_cluster", on_second_look, once=False)
    request = factories.execute(approved, scene.kafka)
    assert request.state == "stale"
    assert factories.trouble(request)["facts"]["differences"][0]["what"] == kind
    _untouched(scene, request)
    assert factories.attempt_of(request).state == "stopped"


def test_someone_joining_between_the_checks_lets_it_wait(scene: Scene, approved: ResetRequest) -> None:
    looks = iter(range(100))

    def join() -> None:
        if next(looks) == 1:
            scene.kafka.join(GROUP, client_id="late", topics=["hello"])

    scene.kafka.before("describe_groups", join, once=False)
    request = factories.execute(approved, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("waiting", "reset.group_still_active")
    _untouched(scene, request)
    scene.kafka.leave(GROUP)
    request = factories.execute(request, scene.kafka)
    assert (request.state, [one.state for one in request.attempts.all()]) == ("applied", ["stopped", "applied"])


def test_someone_joining_right_at_the_write_lets_it_wait(scene: Scene, approved: ResetRequest) -> None:
    scene.kafka.before("commit", lambda: scene.kafka.join(GROUP, topics=["hello"]))
    request = factories.execute(approved, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("waiting", "reset.group_still_active")
    assert factories.attempt_of(request).state == "stopped"
    assert factories.offsets_in(scene.kafka) == [3, 3, 3]
    scene.kafka.leave(GROUP)
    assert factories.execute(request, scene.kafka).state == "applied"


def test_a_group_that_is_to_be_created_is_created(scene: Scene) -> None:
    change = factories.make_change(group="billing-new", create_group=True)
    request = factories.approve(
        factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka), scene.cast.bob
    )
    assert factories.execute(request, scene.kafka).state == "applied"
    assert factories.offsets_in(scene.kafka, "billing-new") == [0, 0, 0]


def test_a_cluster_that_is_away_is_tried_again_later(scene: Scene, approved: ResetRequest) -> None:
    scene.kafka.go_down()
    request = factories.execute(approved, scene.kafka)
    assert (request.state, request.tries, factories.trouble(request)["code"]) == ("approved", 1, "kafka.unavailable")
    first = _in(request)
    request = factories.execute(request, scene.kafka)
    assert _in(request) > first  # later each time
    scene.kafka.come_up()
    assert factories.execute(request, scene.kafka).state == "applied"


def test_a_refused_sign_in_lets_it_wait_until_that_is_mended(scene: Scene, approved: ResetRequest) -> None:
    scene.kafka.fail("connect", AuthenticationRefused(reason="wrong_credentials"))
    request = factories.execute(approved, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("waiting", "kafka.authentication_refused")
    assert factories.execute(request, scene.kafka).state == "applied"


def test_the_cluster_going_away_between_claim_and_write_loses_nothing(scene: Scene, approved: ResetRequest) -> None:
    looks = iter(range(100))

    def away() -> None:
        if next(looks) == 1:
            raise KafkaUnavailable(reason="timed_out")

    scene.kafka.before("describe_cluster", away, once=False)
    request = factories.execute(approved, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("waiting", "kafka.unavailable")
    _untouched(scene, request)
    assert factories.execute(request, scene.kafka).state == "applied"


def test_a_message_that_comes_twice_writes_once(scene: Scene, approved: ResetRequest) -> None:
    factories.execute(approved, scene.kafka)
    scene.kafka.set_committed(GROUP, {factories.hello(n): factories.at(3) for n in range(3)})
    assert factories.execute(approved, scene.kafka).state == "applied"
    assert (len(scene.kafka.commits), approved.attempts.count()) == (1, 1)


@pytest.mark.parametrize(
    "state", [State.PLANNING, State.PLANNED, State.REJECTED, State.CANCELLED, State.EXPIRED, State.STALE]
)
def test_nothing_but_an_approved_request_is_executed(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    assert factories.execute(request, scene.kafka).state == state
    assert scene.kafka.commits == []


def test_one_request_of_a_group_at_a_time(scene: Scene) -> None:
    busy = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    other = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    scene.kafka.before("commit", lambda: actions.execute(request_id=other.pk, connect=scene.kafka.connect))
    assert factories.execute(busy, scene.kafka).state == "applied"
    other.refresh_from_db()
    assert other.problem == {"code": "reset.already_running", "facts": {"group": GROUP, "request": busy.pk}}
    assert (other.state, len(scene.kafka.commits)) == ("waiting", 1)
    assert factories.execute(other, scene.kafka).state == "stale"  # the first one moved the commits


def test_it_does_not_begin_before_its_time(scene: Scene) -> None:
    begins = timezone.now() + timedelta(hours=2)
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka, not_before=begins)
    request = factories.execute(request, scene.kafka)
    assert (request.state, factories.trouble(request)["code"], request.nudge_at) == ("waiting", "reset.not_yet", begins)
    with time_machine.travel(begins + timedelta(seconds=1)):
        assert factories.execute(request, scene.kafka).state == "applied"


def test_it_does_not_begin_after_its_time(scene: Scene) -> None:
    ends = timezone.now() + timedelta(hours=2)
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka, expires_at=ends)
    with time_machine.travel(ends):
        assert factories.execute(request, scene.kafka).state == "expired"
    assert scene.kafka.commits == []


def test_a_missing_right_on_one_partition_gives_a_partly_applied_request(scene: Scene, approved: ResetRequest) -> None:
    factories.refuse_writes(scene.kafka, [1])
    request = factories.execute(approved, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("partly_applied", "reset.in_part")
    results = {row.partition: (row.state, row.after) for row in factories.attempt_of(request).results.all()}
    assert results == {0: ("done", 0), 1: ("failed", None), 2: ("done", 0)}
    assert factories.offsets_in(scene.kafka) == [0, 3, 0]


def test_no_right_anywhere_gives_a_failed_request(scene: Scene, approved: ResetRequest) -> None:
    factories.refuse_writes(scene.kafka, [0, 1, 2])
    request = factories.execute(approved, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("failed", "reset.nothing_written")
    assert factories.offsets_in(scene.kafka) == [3, 3, 3]


def test_a_consumer_with_manual_assignment_that_overwrites_is_told(scene: Scene, approved: ResetRequest) -> None:
    reads = iter(range(100))

    def overwrite() -> None:
        if next(reads) == 2:  # after the write, before the reading back
            scene.kafka.set_committed(GROUP, {factories.hello(2): factories.at(3)})

    scene.kafka.before("committed_of", overwrite, once=False)
    request = factories.execute(approved, scene.kafka)
    row = factories.attempt_of(request).results.get(partition=2)
    assert request.state == "partly_applied"
    assert (row.state, factories.trouble(row)["code"], row.after) == ("failed", "reset.overwritten", 3)


def test_clients_are_closed_whatever_happens(scene: Scene, approved: ResetRequest) -> None:
    scene.kafka.before("commit", factories._killed)
    with pytest.raises(factories.Killed):
        factories.execute(approved, scene.kafka)
    assert scene.kafka.opened == scene.kafka.closed


def test_only_partitions_of_the_plan_are_written(scene: Scene) -> None:
    scope = {"topics": [{"topic": "hello", "partitions": [1]}]}
    request = factories.ask(scene.cast.alice, change=factories.make_change(scope=scope))
    request = factories.approve(factories.plan(request, scene.kafka), scene.cast.bob)
    scene.kafka.set_committed(GROUP, {factories.hello(0): factories.at(2)})
    assert factories.execute(request, scene.kafka).state == "applied"
    assert set(scene.kafka.commits[0].targets) == {TopicPartition("hello", 1)}
