"""What is put back: how old the reading is, and where the group has gone since it was reset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kafkaconsole.resets.facts import Facts
from kafkaconsole.resets.plans import Action, Line, PlanWarning
from kafkaconsole.resets.warnings.naming import NAMED, offset_of


def warnings_of(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    """Only where something earlier is put back."""
    earlier = facts.earlier
    if earlier is None:
        return
    if earlier.read_at is not None:
        age = round((earlier.at - earlier.read_at).total_seconds())
        held = {topic: since.isoformat() for topic, since in sorted(earlier.held_since.items())[:NAMED]}
        told = {"at": earlier.at.isoformat(), "read_at": earlier.read_at.isoformat(), "age_s": age, "held_since": held}
        texts = sum(bool(line.metadata) and line.action is Action.SET for line in lines)
        yield PlanWarning("restored_from_history", told | {"texts_kept": texts})
    moved = [
        one
        for one in facts.partitions
        if one.of in earlier.written and offset_of(one.committed) != earlier.written[one.of]
    ]
    if moved:
        both = [
            {
                "partition": str(one.of),
                "before": offset_of(earlier.offsets[one.of]),
                "set": earlier.written[one.of],
                "now": offset_of(one.committed),
            }
            for one in moved[:NAMED]
        ]
        yield PlanWarning("moved_since", {"count": len(moved), "attempt": earlier.attempt, "moved": both})
