"""Which offsets an export reads, computed from the lines of a plan. Plain Python."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol

from kafkaconsole.kafka.values import Offset, RecordSpan, TopicPartition
from kafkaconsole.resets.plans import Action


class Until(StrEnum):
    """Where reading ends: at the commit (what is read again), or at the log end as planned (all from there on)."""

    COMMITTED = "committed"
    LOG_END = "log_end"


class PlannedLine(Protocol):
    """What is needed of a plan's line."""

    topic: str
    partition: int
    action: str
    target: int | None
    committed: int | None
    log_end: int | None


def spans_of(lines: Iterable[PlannedLine], until: Until) -> list[RecordSpan]:
    """A span per SET line that has offsets to read, in the lines' order.

    A partition without a commit has no place where "again" ends: it is read to the log end as planned.
    """
    found = []
    for line in lines:
        if line.action != Action.SET or line.target is None:
            continue
        stop = line.log_end if until is Until.LOG_END or line.committed is None else line.committed
        if stop is not None and line.target < stop:
            of = TopicPartition(line.topic, line.partition)
            found.append(RecordSpan(of, Offset(line.target), Offset(stop)))
    return found


def offsets_in(spans: Iterable[RecordSpan]) -> int:
    """How many offsets the spans hold; at most so many records."""
    return sum(span.stop - span.start for span in spans)


def as_json(spans: Iterable[RecordSpan]) -> list[list[str | int]]:
    """[[topic, partition, start, stop]] as frozen in `RecordExport.spans`."""
    return [[span.of.topic, span.of.partition, span.start, span.stop] for span in spans]


def from_json(frozen: Iterable[list[str | int]]) -> list[RecordSpan]:
    """The way back from `as_json`."""
    return [
        RecordSpan(TopicPartition(str(topic), int(partition)), Offset(int(start)), Offset(int(stop)))
        for topic, partition, start, stop in frozen
    ]


def rest_of(spans: list[RecordSpan], index: int, offset: int | None) -> list[RecordSpan]:
    """What is left when everything before `offset` of the span at `index` has been read; None: its start."""
    left = spans[index:]
    if not left or offset is None:
        return left
    first = RecordSpan(left[0].of, Offset(offset), left[0].stop)
    return [first, *left[1:]] if first.start < first.stop else left[1:]
