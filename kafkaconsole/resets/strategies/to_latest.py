"""On to the end of the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.fields import Fields
from kafkaconsole.resets.strategies.contract import Context, Strategy, Wish


@dataclass(frozen=True, slots=True)
class ToLatest(Strategy):
    """The log end (high watermark) of each partition, as it was when the plan was made."""

    kind: ClassVar[str] = "to_latest"
    place: ClassVar[int] = 20
    title: ClassVar[str] = "To the end of the log"

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self:
        """There is nothing to read."""
        return cls()

    def own_fields(self) -> Mapping[str, object]:
        """None."""
        return {}

    def describe(self) -> str:
        """The wish in words."""
        return "Skip to the end of the log as it was when the plan was made"

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The log end."""
        return bounds.log_end

    def option(self) -> str:
        """Kafka's own option."""
        return "--to-latest"
