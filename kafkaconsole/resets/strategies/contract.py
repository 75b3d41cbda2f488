"""What a reset strategy is: what it says, what it looks up, and which offset it wants on a partition."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Self

from kafkaconsole.kafka.values import GroupId, Offset, OffsetBounds, TopicPartition
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.fields import Fields
from kafkaconsole.resets.plans import Why


@dataclass(frozen=True, slots=True)
class Context:
    """What a strategy may look at when it reads its fields: the group that the change is for."""

    group: GroupId | None


class Strategy(ABC):
    """One `strategy.kind`. A subclass is a frozen dataclass in a file of its own in this package."""

    kind: ClassVar[str]
    place: ClassVar[int]
    """Where it stands among the others in a form; gaps are left between the numbers."""
    title: ClassVar[str]
    """A few words for a list of choices."""
    names_partitions: ClassVar[bool] = False
    """True when the strategy itself says which partitions it is about, so that a scope is not needed."""

    @classmethod
    @abstractmethod
    def parse(cls, fields: Fields, context: Context) -> Self | None:
        """Read the strategy's own fields; None when a problem was noted."""

    @abstractmethod
    def own_fields(self) -> Mapping[str, object]:
        """The fields beside `kind`, such that `parse` gives an equal strategy again."""

    @abstractmethod
    def describe(self) -> str:
        """The wish as the start of a sentence, e.g. "Read everything again"."""

    @abstractmethod
    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> int | Why:
        """The offset it asks for, before bounds, or the reason why it can name none.

        Only called for a partition whose bounds are known. Reasons: `NO_COMMIT`, `NO_RECORD_AFTER`,
        `NO_RECORD_AFTER_UNCERTAIN`, `NOT_IN_SOURCE`.
        """

    def as_json(self) -> dict[str, object]:
        """The canonical form, as in the HTTP API."""
        return {"kind": self.kind, **self.own_fields()}

    def instant(self, measured_at: datetime) -> datetime | None:
        """The moment whose records must be looked up, resolved against `measured_at`; None when none is needed."""
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
