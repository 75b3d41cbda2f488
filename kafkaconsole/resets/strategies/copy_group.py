"""Stand where another group stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from kafkaconsole.kafka.values import GroupId, OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.fields import Fields
from kafkaconsole.resets.plans import Why
from kafkaconsole.resets.strategies.contract import Context, Strategy, Wish
from kafkaconsole.words import words


@dataclass(frozen=True, slots=True)
class CopyGroup(Strategy):
    """The committed offset of `from_group` on the same partition; a partition it has none on stays as it is."""

    from_group: GroupId

    kind: ClassVar[str] = "copy_group"
    place: ClassVar[int] = 90
    title: ClassVar[str] = "To where another group is"

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self | None:
        """Read `from_group`, the name of another group of the same cluster."""
        name = fields.text("from_group", words("the name of another group of this cluster"))
        if name is None:
            return None
        if name == context.group:
            fields.problem("from_group", name, words("another group than the one to be reset"))
            return None
        return cls(GroupId(name))

    def own_fields(self) -> Mapping[str, object]:
        """The other group's name."""
        return {"from_group": self.from_group}

    @property
    def source_group(self) -> GroupId:
        """The group whose commits are copied."""
        return self.from_group

    def starts_from(self, of: PartitionFacts) -> bool:
        """The commit that counts is the other group's: the rule decides where there is nothing to copy."""
        return of.source is not None

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The other group's committed offset."""
        return Why.NOT_IN_SOURCE if of.source is None else of.source.offset
