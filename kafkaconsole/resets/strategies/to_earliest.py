"""Back to the first record that is still there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.strategies.contract import Wish, WithoutFields


@dataclass(frozen=True, slots=True)
class ToEarliest(WithoutFields):
    """The log start of each partition."""

    kind: ClassVar[str] = "to_earliest"
    place: ClassVar[int] = 10
    title: ClassVar[str] = "To the earliest record"

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The log start."""
        return bounds.log_start

    def option(self) -> str:
        """Kafka's own option."""
        return "--to-earliest"
