"""Log bounds and lookups by time (the table of reset-semantics H.1), on the fake and on a real broker."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from kafkaconsole.kafka.values import Offset, OffsetBounds, Problem, ProblemKind, TimedOffset, TopicPartition
from tests.kafka.worlds import World

START = datetime(2026, 3, 1, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def bounds_of(world: World, of: TopicPartition) -> OffsetBounds | Problem:
    with world.admin() as admin:
        return admin.bounds([of])[of]


def first_at(world: World, of: TopicPartition, instant: datetime) -> TimedOffset | None | Problem:
    with world.admin() as admin:
        return admin.offsets_at({of: instant})[of]


def newest(world: World, of: TopicPartition) -> TimedOffset | None | Problem:
    with world.admin() as admin:
        return admin.max_timestamps([of])[of]


def test_never_written_partition_begins_and_ends_at_zero(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    of = TopicPartition(topic_name, 0)
    assert bounds_of(world, of) == OffsetBounds(Offset(0), Offset(0), Offset(0))
    assert newest(world, of) is None
    assert first_at(world, of, at(0)) is None


def test_lookup_finds_the_first_record_at_or_after_an_instant(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    of = TopicPartition(topic_name, 0)
    world.produce(topic_name, b"a", b"b", b"c", at=[at(1), at(2), at(3)])
    assert first_at(world, of, at(0)) == TimedOffset(Offset(0), at(1))
    assert first_at(world, of, at(2)) == TimedOffset(Offset(1), at(2))
    assert first_at(world, of, at(2) + timedelta(microseconds=1)) == TimedOffset(Offset(2), at(3))
    assert first_at(world, of, at(3.001)) is None
    assert newest(world, of) == TimedOffset(Offset(2), at(3))


def test_lookup_goes_by_offset_when_timestamps_are_out_of_order(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    of = TopicPartition(topic_name, 0)
    world.produce(topic_name, b"a", b"b", b"c", b"d", at=[at(1), at(5), at(1.5), at(5)])
    assert first_at(world, of, at(2)) == TimedOffset(Offset(1), at(5))
    assert newest(world, of) == TimedOffset(Offset(1), at(5))


def test_highest_timestamp_may_be_that_of_a_deleted_record(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    of = TopicPartition(topic_name, 0)
    world.produce(topic_name, b"a", b"b", b"c", b"d", at=[at(1), at(9), at(2), at(3)])
    world.delete_records(topic_name, 2)
    assert bounds_of(world, of) == OffsetBounds(Offset(2), Offset(4), Offset(4))
    assert newest(world, of) == TimedOffset(Offset(1), at(9))
    assert first_at(world, of, at(2.5)) == TimedOffset(Offset(3), at(3))
    assert first_at(world, of, at(3.5)) is None


def test_truncated_to_empty_begins_at_its_end(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    of = TopicPartition(topic_name, 0)
    world.produce(topic_name, b"a", b"b", at=[at(1), at(1)])
    world.delete_records(topic_name, 2)
    assert bounds_of(world, of) == OffsetBounds(Offset(2), Offset(2), Offset(2))
    assert first_at(world, of, at(0)) is None
    assert newest(world, of) == TimedOffset(Offset(0), at(1))


def test_open_transaction_holds_the_last_stable_offset_and_not_the_log_end(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    of = TopicPartition(topic_name, 0)
    world.produce(topic_name, b"a", b"b")
    with world.transaction(topic_name, b"c", b"d"):
        assert bounds_of(world, of) == OffsetBounds(Offset(0), Offset(4), Offset(2))
        with world.admin() as admin:
            assert admin.bounds([of], last_stable=False) == {of: OffsetBounds(Offset(0), Offset(4), None)}
    assert bounds_of(world, of) == OffsetBounds(Offset(0), Offset(5), Offset(5))


def test_what_is_not_there_is_a_problem_of_its_own_partition(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    there = TopicPartition(topic_name, 0)
    absent = [TopicPartition(topic_name, 9), TopicPartition(f"{topic_name}-not", 0)]
    with world.admin() as admin:
        for found in (
            admin.bounds([*absent, there]),
            admin.offsets_at(dict.fromkeys([*absent, there], at(0))),
            admin.max_timestamps([*absent, there]),
        ):
            assert list(found) == [*absent, there]
            for one in absent:
                problem = found[one]
                assert isinstance(problem, Problem) and problem.kind is ProblemKind.NOT_FOUND
            assert not isinstance(found[there], Problem)


def test_instant_before_1970_is_refused_and_never_a_sentinel(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    world.produce(topic_name, b"a", b"b")
    of = TopicPartition(topic_name, 0)
    for milliseconds in (-1, -2, -3, -4):
        found = first_at(world, of, datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds))
        assert isinstance(found, Problem) and found.kind is ProblemKind.REFUSED


def test_bounds_of_many_partitions_come_in_one_call(world: World, topic_name: str) -> None:
    world.add_topic(topic_name, partitions=40)
    world.produce(topic_name, b"a", b"b", partition=7)
    every = [TopicPartition(topic_name, number) for number in range(40)]
    with world.admin() as admin:
        found = admin.bounds(every)
    ends = {one.partition: bounds.log_end for one, bounds in found.items() if isinstance(bounds, OffsetBounds)}
    assert ends == {number: 2 if number == 7 else 0 for number in range(40)}
