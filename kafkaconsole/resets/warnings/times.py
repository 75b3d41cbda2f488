"""The times of records near the targets: in the future, or out of order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from kafkaconsole.resets.facts import Facts
from kafkaconsole.resets.plans import Action, Line, PlanWarning
from kafkaconsole.resets.warnings.naming import named

CLOCKS_DIFFER = timedelta(minutes=1)
"""Clocks of producers may be ahead by so much without being called wrong."""


def warnings_of(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    """What records near the targets show; only a plan by time is about the order of times."""
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


def _is_out_of_order(facts: Facts, line: Line) -> bool:
    """A record before the target that is not older than the moment, or one after it that is."""
    instant, target = facts.resolved_instant, line.target
    if instant is None or target is None:
        return False
    return any((one.offset < target) == (one.at >= instant) for one in facts.around.get(line.of, ()))
