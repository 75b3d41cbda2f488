"""Take the group's commits away: its consumers then begin where their own settings say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.strategies.contract import Nothing, Wish, WithoutFields


@dataclass(frozen=True, slots=True)
class DeleteOffsets(WithoutFields):
    """No commit on any partition in scope; one without a commit has nothing to delete and stays as it is."""

    kind: ClassVar[str] = "delete_offsets"
    place: ClassVar[int] = 110
    title: ClassVar[str] = "Delete the committed offsets"

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """That nothing be committed."""
        return Nothing.COMMITTED

    def option(self) -> str:
        """Kafka's own option; the tool has no dry run for it."""
        return "--delete-offsets"
