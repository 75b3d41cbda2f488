"""How warnings name what they are about."""

from __future__ import annotations

from collections.abc import Sequence

from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.resets.plans import Action, Line

NAMED = 20
"""A warning names so many partitions, members or topics; the number of all stands beside them."""


def changes(line: Line) -> bool:
    """Whether the group's committed offset will be another after this line."""
    return line.action is Action.DELETE or (line.action is Action.SET and line.target != line.committed)


def named(partitions: Sequence[TopicPartition]) -> dict[str, object]:
    """How many partitions, and the first of them by name."""
    return {"count": len(partitions), "partitions": [str(of) for of in partitions[:NAMED]]}


def offset_of(held: Committed | None) -> Offset | None:
    """A commit's offset."""
    return None if held is None else held.offset
