"""What only the records themselves can tell a plan: the times around its targets, and what the broker's search missed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.port import RecordReader
from kafkaconsole.kafka.values import Offset, OffsetBounds, RecordSpan, TimedOffset, TopicPartition
from kafkaconsole.resets.facts import PartitionFacts
from kafkaconsole.resets.plans import Line

PREVIEWED = 200
"""A preview reads times around so many targets at most, for its person is waiting; the plan of a request around all."""
AT_ONCE = 250
"""So many targets are read around in one look: a look at thousands takes several times as long for each."""
REACH = 8
"""So many offsets to either side of a target are looked at."""
TIME_LIMIT = timedelta(seconds=10)
"""For all times around targets together, and for all partitions that are searched: nobody waits longer for them."""
SETTLED_OFFSETS = 20_000
"""So many offsets are read in all to find out what a time look-up missed."""


def times_around(
    times: RecordReader, lines: Iterable[Line], *, most: int | None = None
) -> Mapping[TopicPartition, tuple[TimedOffset, ...]]:
    """The times of records around each target, or around the first `most`; what cannot be read in time is absent."""
    deadline = time.monotonic() + TIME_LIMIT.total_seconds()
    targets = islice(_targets(lines), most)
    found: dict[TopicPartition, tuple[TimedOffset, ...]] = {}
    while some := dict(islice(targets, AT_ONCE)):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            found.update(times.times_around(some, reach=REACH, time_limit=timedelta(seconds=left)))
        except (KafkaUnavailable, KafkaRefused):
            break
    return found


def _targets(lines: Iterable[Line]) -> Iterator[tuple[TopicPartition, Offset]]:
    """Those that lie in a log with records."""
    return ((line.of, line.target) for line in lines if line.target is not None and line.log_start != line.log_end)


def settled(times: RecordReader, partitions: Sequence[PartitionFacts], instant: datetime) -> tuple[PartitionFacts, ...]:
    """Where the broker's "no record at or after" is contradicted, or nothing is known, the records are read.

    The broker searches one segment only (reset-semantics A.5). A partition that is too long for it, or that cannot be
    read in time, stays uncertain.
    """
    left, deadline = SETTLED_OFFSETS, time.monotonic() + TIME_LIMIT.total_seconds()
    found: list[PartitionFacts] = []
    for one in partitions:
        span = _span(one, instant)
        if span is not None and span.stop - span.start <= left and time.monotonic() < deadline:
            left -= span.stop - span.start
            one = _searched(times, one, span, instant, timedelta(seconds=deadline - time.monotonic()))
        found.append(one)
    return tuple(found)


def _span(one: PartitionFacts, instant: datetime) -> RecordSpan | None:
    """What must be read of an uncertain partition: up to the newest record if that is there and matches."""
    if one.bounds is None or one.found_at is not None or one.bounds.log_start == one.bounds.log_end:
        return None
    if one.newest is not None and one.newest.at < instant:
        return None
    return RecordSpan(one.of, one.bounds.log_start, _stop(one.newest, one.bounds))


def _stop(newest: TimedOffset | None, bounds: OffsetBounds) -> Offset:
    known = newest is not None and bounds.log_start <= newest.offset < bounds.log_end
    return Offset(newest.offset + 1) if known and newest is not None else bounds.log_end


def _searched(
    times: RecordReader, one: PartitionFacts, span: RecordSpan, instant: datetime, limit: timedelta
) -> PartitionFacts:
    try:
        for record in times.read([span], time_limit=limit):
            if record.at is not None and record.at >= instant:
                return replace(one, found_at=TimedOffset(record.offset, record.at), searched=True)
    except (KafkaUnavailable, KafkaRefused):
        return one
    return replace(one, searched=True)
