"""What leaders and readers answer of one log of the fake."""

from __future__ import annotations

from datetime import datetime

from kafkaconsole.kafka.values import TimedOffset
from tests.fakes.kafka_cluster import FakePartition


def first_at(log: FakePartition, instant: datetime) -> TimedOffset | None:
    """The first record by offset at or after the instant, markers included."""
    for record in log.readable():
        if record.at is not None and record.at >= instant:
            return TimedOffset(record.offset, record.at)
    return None


def around(log: FakePartition, offset: int, reach: int) -> tuple[TimedOffset, ...]:
    """Records around an offset as a reader gets them: no markers, and in any case the first at or after it."""
    records = [
        TimedOffset(one.offset, one.at, one.timestamp_type)
        for one in log.readable()
        if one.offset not in log.markers and one.at is not None
    ]
    near = [one for one in records if offset - reach <= one.offset < offset + reach]
    later = [one for one in records if one.offset >= offset + reach]
    return tuple(near if near and near[-1].offset >= offset else near + later[:1])


def latest(log: FakePartition) -> TimedOffset | None:
    """Like the broker, blind to the log start: a deleted record may be named (reset-semantics A.5)."""
    timed = [TimedOffset(one.offset, one.at) for _, one in sorted(log.entries.items()) if one.at is not None]
    return max(timed, key=lambda one: (one.at, -one.offset), default=None)
