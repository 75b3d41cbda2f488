"""Take the group's commits away: its consumers then begin where their own settings say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.fields import Fields
from kafkaconsole.resets.strategies.contract import Context, Nothing, Strategy, Wish


@dataclass(frozen=True, slots=True)
class DeleteOffsets(Strategy):
    """No commit on any partition in scope; one without a commit has nothing to delete and stays as it is."""

    kind: ClassVar[str] = "delete_offsets"
    place: ClassVar[int] = 110
    title: ClassVar[str] = "Delete the committed offsets"

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self:
        """There is nothing to read."""
        return cls()

    def own_fields(self) -> Mapping[str, object]:
        """None."""
        return {}

    def describe(self) -> str:
        """The wish in words."""
        return "Delete the committed offsets"

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """That nothing be committed."""
        return Nothing.COMMITTED

    def option(self) -> str:
        """Kafka's own option; the tool has no dry run for it."""
        return "--delete-offsets"
