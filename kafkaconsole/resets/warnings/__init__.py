"""What approvers must know of a plan beyond its numbers. Each warning has a code and the facts of its sentence.

docs/warnings.md says of each what it means and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence

from kafkaconsole.resets.change import Change
from kafkaconsole.resets.facts import Facts
from kafkaconsole.resets.plans import Line, PlanWarning
from kafkaconsole.resets.warnings import group, partitions, past, rights, times, topics
from kafkaconsole.resets.warnings.naming import changes

__all__ = ["changes", "warnings_of"]


def warnings_of(change: Change, facts: Facts, lines: Sequence[Line]) -> tuple[PlanWarning, ...]:
    """All warnings: the group's first, then what is earlier, the plan's, the topics', the partitions', the times'."""
    return (
        *group.warnings_of(facts, lines),
        *rights.warnings_of(facts, lines),
        *past.warnings_of(facts, lines),
        *partitions.warnings_of_plan(change, facts, lines),
        *topics.warnings_of(facts, lines),
        *partitions.warnings_of(lines),
        *times.warnings_of(facts, lines),
    )
