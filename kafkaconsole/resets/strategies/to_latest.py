"""On to the end of the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.strategies.contract import Wish, WithoutFields


@dataclass(frozen=True, slots=True)
class ToLatest(WithoutFields):
    """The log end (high watermark) of each partition, as it was when the plan was made."""

    kind: ClassVar[str] = "to_latest"
    place: ClassVar[int] = 20
    title: ClassVar[str] = "To the end of the log"

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The log end."""
        return bounds.log_end

    def option(self) -> str:
        """Kafka's own option."""
        return "--to-latest"
