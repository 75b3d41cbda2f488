"""Reading records, on the fake and on a real broker."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from kafkaconsole.kafka.errors import KafkaRefused
from kafkaconsole.kafka.values import Offset, RecordSpan, TimedOffset, TopicPartition
from tests.kafka.worlds import World, group_id

LIMIT = timedelta(seconds=20)
START = datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)


def span(topic: str, start: int, stop: int, partition: int = 0) -> RecordSpan:
    return RecordSpan(TopicPartition(topic, partition), Offset(start), Offset(stop))


def values(world: World, *spans: RecordSpan) -> list[tuple[int, int, bytes | None]]:
    with world.reader() as reader:
        return [(one.partition, one.offset, one.value) for one in reader.read(spans, time_limit=LIMIT)]


def test_records_come_span_by_span_in_offset_order(world: World, topic_name: str) -> None:
    world.add_topic(topic_name, partitions=2)
    world.produce(topic_name, b"a0", b"a1", b"a2", b"a3")
    world.produce(topic_name, b"b0", partition=1)
    read = values(world, span(topic_name, 0, 9, partition=1), span(topic_name, 1, 3))
    assert read == [(1, 0, b"b0"), (0, 1, b"a1"), (0, 2, b"a2")]


def test_tombstone_and_time_are_kept(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    world.produce(topic_name, None, b"", at=[START, START + timedelta(milliseconds=1)])
    with world.reader() as reader:
        tombstone, blank = reader.read([span(topic_name, 0, 2)], time_limit=LIMIT)
    assert (tombstone.value, tombstone.key, tombstone.at, tombstone.timestamp_type) == (
        None,
        None,
        START,
        "create_time",
    )
    assert (blank.value, blank.at) == (b"", START + timedelta(milliseconds=1))


def test_reading_ends_at_the_log_end_and_at_transaction_markers(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    with world.transaction(topic_name, b"a", b"b"):
        assert values(world, span(topic_name, 0, 2)) == [(0, 0, b"a"), (0, 1, b"b")]
    world.produce(topic_name, b"d")
    assert values(world, span(topic_name, 0, 3)) == [(0, 0, b"a"), (0, 1, b"b")]
    assert values(world, span(topic_name, 2, 3)) == []
    assert values(world, span(topic_name, 2, 100)) == [(0, 3, b"d")]
    assert values(world, span(topic_name, 4, 100)) == []


def test_deleted_records_are_not_read(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    world.produce(topic_name, b"a", b"b", b"c")
    world.delete_records(topic_name, 2)
    assert values(world, span(topic_name, 0, 3)) == [(0, 2, b"c")]
    assert values(world, span(topic_name, 0, 2)) == []


def test_times_around_offsets_are_told_before_and_after(world: World, topic_name: str) -> None:
    world.add_topic(topic_name, partitions=3)
    world.produce(topic_name, *[b"m"] * 6, at=[START + timedelta(seconds=place) for place in range(6)])
    world.produce(topic_name, b"c", partition=1, at=[START])
    many, one, empty = (TopicPartition(topic_name, number) for number in (0, 1, 2))
    with world.reader() as reader:
        first = reader.times_around({many: Offset(3), one: Offset(0), empty: Offset(0)}, reach=2, time_limit=LIMIT)
        again = reader.times_around({many: Offset(6), one: Offset(1)}, reach=2, time_limit=LIMIT)
    assert first == {many: timed(1, 2, 3, 4), one: timed(0), empty: ()}
    assert again == {many: timed(4, 5), one: timed(0)}
    assert {found.timestamp_type for found in first[many]} == {"create_time"}


def test_times_around_an_offset_that_was_deleted_begin_at_the_log_start(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    world.produce(topic_name, *[b"m"] * 6, at=[START + timedelta(seconds=place) for place in range(6)])
    world.delete_records(topic_name, 4)
    of = TopicPartition(topic_name, 0)
    with world.reader() as reader:
        assert reader.times_around({of: Offset(1)}, reach=1, time_limit=LIMIT) == {of: timed(4)}


def timed(*offsets: int) -> tuple[TimedOffset, ...]:
    """Records whose time is as many seconds after START as their offset."""
    return tuple(TimedOffset(Offset(offset), START + timedelta(seconds=offset)) for offset in offsets)


def test_unknown_partition_is_refused(world: World, topic_name: str) -> None:
    world.add_topic(topic_name)
    with pytest.raises(KafkaRefused) as error:
        values(world, span(topic_name, 0, 1, partition=9))
    assert error.value.facts["reason"] == "partition_not_found"


def test_reading_makes_no_group(world: World, topic_name: str, group_name: str) -> None:
    world.add_topic(topic_name)
    world.produce(topic_name, b"a")
    values(world, span(topic_name, 0, 1))
    with world.admin() as admin:
        assert not [row for row in admin.list_groups().groups if row.group.startswith("kafka-console")]
        assert admin.committed([group_id(group_name)]) == {group_name: {}}
