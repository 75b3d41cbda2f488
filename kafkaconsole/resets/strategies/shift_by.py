"""A number of offsets forward or back from where the group is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.fields import INT64, Fields
from kafkaconsole.resets.plans import Why
from kafkaconsole.resets.strategies.contract import Context, Strategy, Wish
from kafkaconsole.words import words


@dataclass(frozen=True, slots=True)
class ShiftBy(Strategy):
    """The committed offset plus `by`, counted from the commit itself even where that lies outside the log."""

    by: int

    kind: ClassVar[str] = "shift_by"
    place: ClassVar[int] = 50
    title: ClassVar[str] = "Forward or back by a number of offsets"

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self | None:
        """Read `by`; negative goes back."""
        by = fields.integer("by", words("a whole number of at most 64 bits; negative goes back"))
        return None if by is None else cls(by)

    def own_fields(self) -> Mapping[str, object]:
        """The distance."""
        return {"by": self.by}

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The sum, held within 64 bits: Java's wraps around, and a shift far forward would end at the log start."""
        if of.committed is None:
            return Why.NO_COMMIT
        return min(max(of.committed.offset + self.by, INT64[0]), INT64[-1])

    def option(self) -> str:
        """Kafka's own option."""
        return f"--shift-by {self.by}"
