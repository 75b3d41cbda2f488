"""What a reset strategy is: what it says, what it looks up, and which offset it wants on a partition."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import ClassVar, Self

from kafkaconsole.kafka.values import Committed, GroupId, Offset, OffsetBounds, TopicPartition
from kafkaconsole.resets.facts import Facts, PartitionFacts, Recall
from kafkaconsole.resets.fields import Fields
from kafkaconsole.resets.plans import Why


@dataclass(frozen=True, slots=True)
class Context:
    """What a strategy may look at when it reads its fields: the group that the change is for."""

    group: GroupId | None


class Nothing(Enum):
    """A wish of its own: that the group have no commit on the partition."""

    COMMITTED = "nothing committed"


Wish = int | Committed | Nothing | Why
"""An offset before bounds; a whole commit to put back, text and epoch too; no commit at all; or why there is no wish."""


class Strategy(ABC):
    """One `strategy.kind`. A subclass is a frozen dataclass in a file of its own in this package."""

    kind: ClassVar[str]
    place: ClassVar[int]
    """Where it stands among the others in a form; gaps are left between the numbers."""
    title: ClassVar[str]
    """A few words for a list of choices."""

    @classmethod
    @abstractmethod
    def parse(cls, fields: Fields, context: Context) -> Self | None:
        """Read the strategy's own fields; None when a problem was noted."""

    @abstractmethod
    def own_fields(self) -> Mapping[str, object]:
        """The fields beside `kind`, such that `parse` gives an equal strategy again."""

    @abstractmethod
    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """What it asks for, before bounds, or the reason why it can name nothing.

        Only called for a partition whose bounds are known. Reasons: `NO_COMMIT`, `NO_RECORD_AFTER`,
        `PARTITION_EMPTY`, `NO_RECORD_AFTER_UNCERTAIN`, `NOT_IN_SOURCE`, `NOT_IN_SNAPSHOT`, `NOT_KNOWN_THEN`, `TOPIC_MADE_AGAIN`.
        """

    def as_json(self) -> dict[str, object]:
        """The canonical form, as in the HTTP API."""
        return {"kind": self.kind, **self.own_fields()}

    def instant(self, measured_at: datetime) -> datetime | None:
        """The moment whose records must be looked up, resolved against `measured_at`; None when none is needed."""
        return None

    @property
    def names_partitions(self) -> bool:
        """Whether the strategy itself says which partitions it is about, so that a scope is not needed."""
        return False

    def starts_from(self, of: PartitionFacts) -> bool:
        """Whether there is the commit that the strategy is about: the group's own, or the one that it copies.

        Without it the rule `no_commit` decides, where a person chose another value than "strategy".
        """
        return of.committed is not None

    @property
    def recalls(self) -> Recall | None:
        """What the console's own records must be asked for, if anything."""
        return None

    @property
    def source_group(self) -> GroupId | None:
        """Another group whose commits must be read, if any."""
        return None

    def named(self) -> Mapping[TopicPartition, Offset] | None:
        """The partitions that the strategy itself names, where it does."""
        return None

    def option(self) -> str | None:
        """The equivalent option of `kafka-consumer-groups`, ready for a shell; None where there is none."""
        return None


class WithoutFields(Strategy):
    """A strategy that its kind says wholly."""

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self:
        """There is nothing to read."""
        return cls()

    def own_fields(self) -> Mapping[str, object]:
        """None."""
        return {}
