"""Stay where the group is: write its own commits again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.plans import Why
from kafkaconsole.resets.strategies.contract import Wish, WithoutFields


@dataclass(frozen=True, slots=True)
class ToCurrent(WithoutFields):
    """The committed offset of each partition; without a commit there is nothing to stay at."""

    kind: ClassVar[str] = "to_current"
    place: ClassVar[int] = 30
    title: ClassVar[str] = "Stay at the committed offset"

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The committed offset."""
        return Why.NO_COMMIT if of.committed is None else of.committed.offset

    def option(self) -> str:
        """Kafka's own option."""
        return "--to-current"
