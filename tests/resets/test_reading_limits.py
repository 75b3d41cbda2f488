"""How much of a log is read to find what the broker's search missed, and what is told where it cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import pytest

from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.values import Offset, Record, RecordSpan, TimedOffset, TopicPartition
from kafkaconsole.resets import reading
from kafkaconsole.resets.facts import PartitionFacts
from kafkaconsole.resets.plans import Line
from tests.resets.making import NOW, T0, a_change, a_partition, a_plan

INSTANT = NOW - timedelta(hours=1)
T1, T2 = TopicPartition("t", 1), TopicPartition("t", 2)


class Reader:
    """Notes what is asked of it; `records` are those of every partition, `around` the times near targets."""

    def __init__(
        self,
        *records: tuple[int, datetime | None],
        failing: Exception | None = None,
        around: Mapping[TopicPartition, tuple[TimedOffset, ...]] | None = None,
        failing_at: TopicPartition | None = None,
    ) -> None:
        self.records = records
        self.failing = failing
        self.around = around or {}
        self.failing_at = failing_at
        self.spans: list[tuple[str, int, int]] = []
        self.limits: list[timedelta] = []

    def read(self, spans: Sequence[RecordSpan], *, time_limit: timedelta) -> Iterator[Record]:
        if self.failing:
            raise self.failing
        self.limits.append(time_limit)
        for span in spans:
            self.spans.append((str(span.of), span.start, span.stop))
            for offset, at in self.records:
                yield Record(span.of.topic, span.of.partition, Offset(offset), at, "create_time", None, None)

    def times_around(
        self, of: Mapping[TopicPartition, Offset], *, reach: int, time_limit: timedelta
    ) -> Mapping[TopicPartition, tuple[TimedOffset, ...]]:
        if self.failing:
            raise self.failing
        if self.failing_at in of:
            raise KafkaUnavailable(reason="timed_out")
        self.limits.append(time_limit)
        self.spans += [(str(one), offset - reach, offset + reach) for one, offset in of.items()]
        return {one: self.around[one] for one in of if one in self.around}


def settled(reader: Reader, *partitions: PartitionFacts) -> list[tuple[TimedOffset | None, bool]]:
    """What is known of each partition afterwards."""
    return [(one.found_at, one.searched) for one in reading.settled(reader, partitions, INSTANT)]


def newest(offset: int, at: datetime = NOW) -> TimedOffset:
    """The record with the highest time."""
    return TimedOffset(Offset(offset), at)


@pytest.mark.parametrize(
    ("highest", "stop"),
    [
        (None, 100),  # nothing is known: all of the log
        (newest(9), 100),  # deleted
        (newest(10), 11),
        (newest(42), 43),
        (newest(42, INSTANT), 43),
        (newest(99), 100),
        (newest(100), 100),  # written after the bounds were measured
    ],
)
def test_a_log_is_read_up_to_its_newest_record(highest: TimedOffset | None, stop: int) -> None:
    reader = Reader()
    settled(reader, a_partition(10, 100, newest=highest))
    assert reader.spans == [("t-0", 10, stop)]


def test_nothing_is_read_where_the_answer_is_certain() -> None:
    reader = Reader((50, NOW))
    certain = [
        a_partition(newest=newest(42, INSTANT - timedelta(milliseconds=1))),
        a_partition(found_at=newest(42)),
        a_partition(50, 50),
        a_partition(bounds=None),
    ]
    assert settled(reader, *certain) == [(None, False), (newest(42), False), (None, False), (None, False)]
    assert reader.spans == []


def test_the_first_record_at_or_after_the_moment_is_found() -> None:
    reader = Reader((20, None), (30, INSTANT - timedelta(seconds=1)), (40, INSTANT), (50, NOW))
    assert settled(reader, a_partition()) == [(newest(40, INSTANT), True)]
    assert settled(Reader((30, INSTANT - timedelta(seconds=1))), a_partition()) == [(None, True)]


def test_so_many_offsets_are_read_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "SETTLED_OFFSETS", 100)
    reader = Reader()
    partitions = [a_partition(10, 70), a_partition(10, 51, of=T1), a_partition(10, 50, of=T2)]
    assert settled(reader, *partitions) == [(None, True), (None, False), (None, True)]
    assert reader.spans == [("t-0", 10, 70), ("t-2", 10, 50)]


def test_the_time_that_is_left_is_the_limit_of_each_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([1000.0, 1001.0, 1003.0, 1009.0, 1009.5, 1010.0])
    monkeypatch.setattr("kafkaconsole.resets.reading.time.monotonic", lambda: next(clock))
    reader = Reader()
    partitions = [a_partition(), a_partition(of=T1), a_partition(of=T2)]
    assert settled(reader, *partitions) == [(None, True), (None, True), (None, False)]
    assert reader.limits == [timedelta(seconds=7), timedelta(seconds=0.5)]


@pytest.mark.parametrize("error", [KafkaUnavailable(reason="timed_out"), KafkaRefused(reason="refused")])
def test_what_cannot_be_read_stays_as_it_was(error: Exception) -> None:
    assert settled(Reader(failing=error), a_partition()) == [(None, False)]
    lines = a_plan(a_change(), a_partition()).lines
    assert reading.times_around(Reader(failing=error), lines) == {}


def many_lines(count: int) -> list[Line]:
    """A plan of the topics a, on which nothing is set, and t with so many partitions."""
    many = [a_partition(of=TopicPartition("t", number)) for number in range(count)]
    change = a_change(rules={"no_commit": "leave"})
    return list(a_plan(change, a_partition(committed=None, of=TopicPartition("a", 0)), *many).lines)


def test_times_are_read_around_the_first_targets_that_lie_in_a_log() -> None:
    reader = Reader()
    reading.times_around(reader, many_lines(4), most=2)
    assert reader.spans == [("t-0", 2, 18), ("t-1", 2, 18)]
    (limit,) = reader.limits
    assert timedelta(seconds=9) < limit <= timedelta(seconds=10)


def test_times_around_all_targets_are_read_some_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "AT_ONCE", 2)
    reader = Reader(around={T1: (newest(12),)})
    found = reading.times_around(reader, many_lines(5))
    assert [place for place, _, _ in reader.spans] == ["t-0", "t-1", "t-2", "t-3", "t-4"]
    assert len(reader.limits) == 3
    assert found == {T1: (newest(12),)}


def test_no_times_are_read_any_more_once_the_limit_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "AT_ONCE", 1)
    clock = iter([1000.0, 1000.5, 1009.5, 1010.0])
    monkeypatch.setattr("kafkaconsole.resets.reading.time.monotonic", lambda: next(clock))
    reader = Reader(around={T0: (newest(11),), T1: (newest(12),), T2: (newest(13),)})
    assert reading.times_around(reader, many_lines(3)) == {T0: (newest(11),), T1: (newest(12),)}
    assert reader.limits == [timedelta(seconds=9.5), timedelta(seconds=0.5)]


def test_times_that_were_read_stay_when_the_next_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "AT_ONCE", 1)
    reader = Reader(around={T0: (newest(11),)}, failing_at=T1)
    assert reading.times_around(reader, many_lines(3)) == {T0: (newest(11),)}


def test_nothing_is_asked_where_no_target_lies_in_a_log() -> None:
    reader = Reader()
    assert reading.times_around(reader, a_plan(a_change(), a_partition(50, 50)).lines) == {}
    assert reader.limits == []
