"""One offset, the same on every partition in scope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.fields import Fields
from kafkaconsole.resets.strategies.contract import Context, Strategy, Wish
from kafkaconsole.words import words


@dataclass(frozen=True, slots=True)
class ToOffset(Strategy):
    """`offset` on every partition. It may be outside a log, even below 0: the rule `out_of_range` decides then."""

    offset: int

    kind: ClassVar[str] = "to_offset"
    place: ClassVar[int] = 40
    title: ClassVar[str] = "To an offset"

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self | None:
        """Read `offset`, a signed 64-bit number as Kafka's own tool takes it."""
        offset = fields.integer("offset", words("a whole number of at most 64 bits"))
        return None if offset is None else cls(offset)

    def own_fields(self) -> Mapping[str, object]:
        """The offset."""
        return {"offset": self.offset}

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The offset asked for."""
        return self.offset

    def option(self) -> str:
        """Kafka's own option."""
        return f"--to-offset {self.offset}"
