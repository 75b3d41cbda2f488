"""Deleting commits: planned per partition, carried out through the one door, settled by reading back."""

from __future__ import annotations

import pytest

from kafkaconsole.kafka.values import Problem, ProblemKind, TopicPartition, WriteAnswer, WriteOutcome
from kafkaconsole.resets.plans import Action, Why
from kafkaconsole.resets.states import State
from tests import factories
from tests.factories import hello
from tests.resets.making import a_change, a_partition, a_plan, codes, only_line
from tests.scene import Scene

DELETE = factories.make_change(strategy={"kind": "delete_offsets"})
T1 = TopicPartition("t", 1)


def test_a_commit_is_deleted_and_a_partition_without_one_is_left() -> None:
    plan = a_plan(a_change("delete_offsets"), a_partition(), a_partition(of=T1, committed=None))
    deleted, left = plan.lines
    assert (deleted.action, deleted.target, deleted.why, deleted.replayed) == (Action.DELETE, None, None, None)
    assert (left.action, left.target, left.why) == (Action.LEAVE, None, Why.NO_COMMIT)
    assert plan.totals.changed == 1 and codes(plan) == []


def test_the_rule_for_partitions_without_a_commit_holds_for_a_deletion_too() -> None:
    change = a_change("delete_offsets", rules={"no_commit": "refuse"})
    assert only_line(change, a_partition(committed=None)).action is Action.REFUSE
    assert only_line(change, a_partition()).action is Action.DELETE


def test_the_command_of_a_deletion_has_no_dry_run() -> None:
    plan = a_plan(a_change("delete_offsets"), a_partition(), a_partition(of=T1))
    assert plan.command == (
        "kafka-consumer-groups --bootstrap-server BOOTSTRAP_SERVERS --group g --topic t:0,1 --delete-offsets"
    )


def test_the_commits_are_deleted_and_nothing_is_committed(scene: Scene) -> None:
    change = {**DELETE, "scope": {"topics": [{"topic": "hello", "partitions": [0, 2]}]}}
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka, change=change)
    request = factories.execute(request, scene.kafka)
    assert request.state == "applied"
    assert [one.of for one in scene.kafka.deletions] == [frozenset({hello(0), hello(2)})]
    assert scene.kafka.commits == [] and factories.offsets_in(scene.kafka) == [None, 3, None]
    rows = factories.attempt_of(request).results.all()
    assert [(row.partition, row.before, row.target, row.after, row.state) for row in rows] == [
        (0, 3, None, None, "done"),
        (2, 3, None, None, "done"),
    ]


def test_a_deletion_of_nothing_is_no_request(scene: Scene) -> None:
    for number in range(3):
        del scene.kafka.group(factories.GROUP).committed[hello(number)]
    request = factories.plan(factories.ask(scene.cast.alice, change=DELETE), scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("plan_failed", "reset.nothing_to_write")


@pytest.mark.parametrize("applied", [True, False])
def test_a_lost_answer_is_settled_by_deleting_again(scene: Scene, applied: bool) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka, change=DELETE)
    scene.kafka.lose_answers(applied=applied)
    request = factories.execute(request, scene.kafka)
    assert request.state == "applied" and factories.offsets_in(scene.kafka) == [None, None, None]
    assert len(scene.kafka.deletions) == (2 if applied else 1)


def test_a_group_that_vanished_with_its_last_commit_is_settled_as_deleted(scene: Scene) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka, change=DELETE)
    scene.kafka.lose_answers()
    scene.kafka.before("describe_cluster", lambda: None)
    original = scene.kafka.delete_offsets

    def and_gone(*arguments: object, **told: object) -> object:
        answers = original(*arguments, **told)  # type: ignore[arg-type]
        scene.kafka.remove_group(factories.GROUP)
        return answers

    scene.kafka.delete_offsets = and_gone  # type: ignore[method-assign,assignment]
    request = factories.execute(request, scene.kafka)
    assert request.state == "applied"


def test_someone_who_commits_right_after_the_deletion_is_told_of(scene: Scene) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka, change=DELETE)
    readings = iter([0, 0, 1])

    def commits_again() -> None:
        if next(readings):
            scene.kafka.set_committed(factories.GROUP, {hello(1): factories.at(2)})

    scene.kafka.before("committed_of", commits_again, once=False)
    request = factories.execute(request, scene.kafka)
    assert request.state == "partly_applied"
    row = factories.attempt_of(request).results.get(partition=1)
    assert (row.state, row.after, factories.trouble(row)["code"]) == ("failed", 2, "reset.overwritten")


def test_a_member_who_subscribed_in_between_makes_the_request_wait(scene: Scene) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka, change=DELETE)
    subscribed = Problem(ProblemKind.ACTIVE_MEMBERS, "GROUP_SUBSCRIBED_TO_TOPIC")
    for number in range(3):
        scene.kafka.answer("delete_offsets", hello(number), WriteAnswer(WriteOutcome.NOT_WRITTEN, subscribed))
    request = factories.execute(request, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("waiting", "reset.group_still_active")
    assert factories.offsets_in(scene.kafka) == [3, 3, 3]


def test_a_plan_that_sets_and_deletes_does_both(scene: Scene) -> None:
    del scene.kafka.group(factories.GROUP).committed[hello(2)]
    change = {**DELETE, "rules": {"no_commit": "earliest"}}
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka, change=change)
    request = factories.execute(request, scene.kafka)
    assert request.state == "applied" and factories.offsets_in(scene.kafka) == [None, None, 0]
