"""The times of records near the targets: in the future, or out of order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.plans import Action, Line, PlanWarning, Why
from kafkaconsole.resets.warnings.naming import NAMED, named

CLOCKS_DIFFER = timedelta(minutes=1)
"""Clocks of producers may be ahead by so much without being called wrong."""


def warnings_of(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    """What records near the targets show; only a plan by time is about the order of times."""
    yield from _of_searches(facts, lines)
    latest = facts.measured_at + CLOCKS_DIFFER
    ahead = [
        one.of
        for one in facts.partitions
        if any(time.at > latest for time in (one.newest, one.found_at, *facts.around.get(one.of, ())) if time)
    ]
    if ahead:
        yield PlanWarning("timestamps_in_future", named(ahead))
    if facts.resolved_instant is not None:
        mixed = [line.of for line in lines if line.action is Action.SET and _is_out_of_order(facts, line)]
        if mixed:
            yield PlanWarning("timestamps_out_of_order", named(mixed))


def _of_searches(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    """Where a search by time found nothing, and why; and where it found the first record of a log that lost others."""
    none = [line.of for line in lines if line.why is Why.NO_RECORD_AFTER]
    if none:
        newest = {one.of: one.newest.at for one in facts.partitions if one.newest is not None and _is_kept(one)}
        yield PlanWarning("lines_without_record", {**named(none), "newest": _moments(none, newest)})
    empty = [line.of for line in lines if line.why is Why.PARTITION_EMPTY]
    if empty:
        yield PlanWarning("lines_empty", named(empty))
    begins = {line.of: line.record_at for line in lines if line.record_at is not None and _begins_later(facts, line)}
    if begins:
        yield PlanWarning("log_begins_later", {**named(list(begins)), "begins": _moments(list(begins), begins)})


def _is_kept(one: PartitionFacts) -> bool:
    """Whether the newest record is still there: the broker may name a deleted one (reset-semantics A.5)."""
    return one.newest is not None and one.bounds is not None and one.newest.offset >= one.bounds.log_start


def _begins_later(facts: Facts, line: Line) -> bool:
    """Whether the moment lies before the first record of a log whose beginning is deleted."""
    if facts.resolved_instant is None or line.record_at is None or not line.log_start:
        return False
    return line.why is None and line.target == line.log_start and line.record_at > facts.resolved_instant


def _moments(of: Sequence[TopicPartition], times: Mapping[TopicPartition, datetime]) -> dict[str, str]:
    """The times that are known, by partition."""
    return {str(one): times[one].isoformat() for one in of[:NAMED] if one in times}


def _is_out_of_order(facts: Facts, line: Line) -> bool:
    """A record before the target that is not older than the moment, or one after it that is."""
    instant, target = facts.resolved_instant, line.target
    if instant is None or target is None:
        return False
    return any((one.offset < target) == (one.at >= instant) for one in facts.around.get(line.of, ()))
