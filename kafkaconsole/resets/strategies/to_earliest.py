"""Back to the first record that is still there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.fields import Fields
from kafkaconsole.resets.strategies.contract import Context, Strategy, Wish


@dataclass(frozen=True, slots=True)
class ToEarliest(Strategy):
    """The log start of each partition."""

    kind: ClassVar[str] = "to_earliest"
    place: ClassVar[int] = 10
    title: ClassVar[str] = "To the earliest record"

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self:
        """There is nothing to read."""
        return cls()

    def own_fields(self) -> Mapping[str, object]:
        """None."""
        return {}

    def describe(self) -> str:
        """The wish in words."""
        return "Read again from the earliest record that is still kept"

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The log start."""
        return bounds.log_start

    def option(self) -> str:
        """Kafka's own option."""
        return "--to-earliest"
