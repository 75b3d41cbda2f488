"""Reading and writing committed offsets, on the fake and on a real broker."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from kafkaconsole.kafka.errors import InvalidWrite
from kafkaconsole.kafka.values import (
    MAX_METADATA_LENGTH,
    MAX_OFFSET,
    Committed,
    Offset,
    ProblemKind,
    TopicPartition,
    WriteAnswer,
    WriteOutcome,
)
from tests.kafka.worlds import Kind, World, group_id


def refused(answer: WriteAnswer) -> tuple[WriteOutcome, ProblemKind]:
    assert answer.problem is not None
    return answer.outcome, answer.problem.kind


@pytest.mark.parametrize(
    "committed",
    [
        Committed(Offset(2)),
        Committed(Offset(2), "checkpoint é ☃ \x00 end", 0),
        Committed(Offset(0), "x" * MAX_METADATA_LENGTH, 7),
        Committed(Offset(MAX_OFFSET)),
    ],
    ids=["plain", "metadata and epoch", "longest metadata", "highest offset"],
)
def test_commit_reads_back_exactly(world: World, topic_name: str, group_name: str, committed: Committed) -> None:
    world.add_topic(topic_name)
    of, group = TopicPartition(topic_name, 0), group_id(group_name)
    with world.admin() as admin:
        assert admin.commit(group, {of: committed}) == {of: WriteAnswer(WriteOutcome.WRITTEN)}
        assert admin.committed([group]) == {group: {of: committed}}
        assert admin.committed_of(group, [of]) == {of: committed}


@pytest.mark.parametrize(
    ("target", "field"),
    [
        (Committed(Offset(-1)), "offset"),
        (Committed(Offset(-1001)), "offset"),
        (Committed(Offset(MAX_OFFSET + 1)), "offset"),
        (Committed(Offset(1), leader_epoch=-1), "leader_epoch"),
        (Committed(Offset(1), "x" * (MAX_METADATA_LENGTH + 1)), "metadata"),
    ],
)
def test_what_no_plan_may_write_is_refused_before_anything_is_sent(
    world: World, topic_name: str, group_name: str, target: Committed, field: str
) -> None:
    world.add_topic(topic_name, partitions=2)
    group = group_id(group_name)
    with world.admin() as admin:
        with pytest.raises(InvalidWrite) as error:
            admin.commit(
                group, {TopicPartition(topic_name, 0): Committed(Offset(1)), TopicPartition(topic_name, 1): target}
            )
        assert error.value.facts["field"] == field
        assert admin.committed([group]) == {group: {}}


def test_unknown_partition_is_refused_and_the_rest_is_written(world: World, topic_name: str, group_name: str) -> None:
    world.add_topic(topic_name)
    there, absent = TopicPartition(topic_name, 0), TopicPartition(topic_name, 9)
    group = group_id(group_name)
    with world.admin() as admin:
        answers = admin.commit(group, {absent: Committed(Offset(1)), there: Committed(Offset(1))})
        assert answers[there].outcome is WriteOutcome.WRITTEN
        assert refused(answers[absent]) == (WriteOutcome.NOT_WRITTEN, ProblemKind.NOT_FOUND)
        assert admin.committed([group]) == {group: {there: Committed(Offset(1))}}


def test_a_write_whose_time_is_over_is_not_sent(world: World, topic_name: str, group_name: str) -> None:
    world.add_topic(topic_name)
    of, group = TopicPartition(topic_name, 0), group_id(group_name)
    now = datetime.now(UTC)
    with world.admin() as admin:
        assert admin.commit(group, {of: Committed(Offset(1))}, until=now + timedelta(minutes=1))[of].problem is None
        for answers in (
            admin.commit(group, {of: Committed(Offset(2))}, until=now),
            admin.delete_offsets(group, [of], until=now),
        ):
            assert refused(answers[of]) == (WriteOutcome.NOT_WRITTEN, ProblemKind.UNAVAILABLE)
            problem = answers[of].problem
            assert problem is not None and problem.passing
        assert admin.committed([group]) == {group: {of: Committed(Offset(1))}}


@pytest.mark.parametrize("kind", ["classic", "consumer"])
def test_active_group_is_not_written(world: World, topic_name: str, group_name: str, kind: Kind) -> None:
    world.add_topic(topic_name)
    of, group = TopicPartition(topic_name, 0), group_id(group_name)
    with world.member(group_name, topic_name, kind), world.admin() as admin:
        answers = admin.commit(group, {of: Committed(Offset(0))})
        assert refused(answers[of]) == (WriteOutcome.NOT_WRITTEN, ProblemKind.ACTIVE_MEMBERS)
        assert refused(admin.delete_offsets(group, [of])[of]) == (WriteOutcome.NOT_WRITTEN, ProblemKind.ACTIVE_MEMBERS)
        assert admin.committed([group]) == {group: {}}


@pytest.mark.parametrize("kind", ["classic", "consumer"])
def test_empty_group_is_written_whatever_its_protocol(
    world: World, topic_name: str, group_name: str, kind: Kind
) -> None:
    world.add_topic(topic_name)
    of, group = TopicPartition(topic_name, 0), group_id(group_name)
    with world.member(group_name, topic_name, kind):
        pass
    with world.admin() as admin:
        assert admin.commit(group, {of: Committed(Offset(4))})[of].outcome is WriteOutcome.WRITTEN
        assert admin.committed([group]) == {group: {of: Committed(Offset(4))}}


def test_partition_without_a_commit_is_absent_or_none(world: World, topic_name: str, group_name: str) -> None:
    world.add_topic(topic_name, partitions=2)
    first, second = TopicPartition(topic_name, 0), TopicPartition(topic_name, 1)
    world.commit_by_hand(group_name, {first: 3})
    group = group_id(group_name)
    with world.admin() as admin:
        all_of_it = admin.committed([group])[group]
        named = admin.committed_of(group, [first, second])
    assert isinstance(all_of_it, dict) and set(all_of_it) == {first}
    assert named[second] is None
    committed = named[first]
    assert isinstance(committed, Committed) and committed.offset == 3


def test_offsets_of_many_groups_come_in_one_call(world: World, topic_name: str, group_name: str) -> None:
    world.add_topic(topic_name)
    of = TopicPartition(topic_name, 0)
    names = [group_id(f"{group_name}-{number}") for number in range(12)]
    with world.admin() as admin:
        for number, name in enumerate(names):
            admin.commit(name, {of: Committed(Offset(number))})
        found = admin.committed([*names, group_id(f"{group_name}-none")])
    assert found == {
        **{name: {of: Committed(Offset(number))} for number, name in enumerate(names)},
        group_id(f"{group_name}-none"): {},
    }


def test_deleted_offsets_are_gone_and_the_others_stay(world: World, topic_name: str, group_name: str) -> None:
    world.add_topic(topic_name, partitions=2)
    first, second, absent = (TopicPartition(topic_name, number) for number in (0, 1, 9))
    group = group_id(group_name)
    with world.admin() as admin:
        admin.commit(group, {first: Committed(Offset(1)), second: Committed(Offset(2))})
        answers = admin.delete_offsets(group, [first, absent])
        assert answers[first] == WriteAnswer(WriteOutcome.WRITTEN)
        assert refused(answers[absent]) == (WriteOutcome.NOT_WRITTEN, ProblemKind.NOT_FOUND)
        assert admin.committed([group]) == {group: {second: Committed(Offset(2))}}


def test_deleting_from_a_missing_group_is_refused(world: World, topic_name: str, group_name: str) -> None:
    world.add_topic(topic_name)
    of = TopicPartition(topic_name, 0)
    with world.admin() as admin:
        answers = admin.delete_offsets(group_id(group_name), [of])
    assert refused(answers[of]) == (WriteOutcome.NOT_WRITTEN, ProblemKind.NOT_FOUND)
