"""Put the group back to what it had committed: before an attempt, or at a moment that our history knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets import instants
from kafkaconsole.resets.facts import Earlier, Facts, PartitionFacts, Recall
from kafkaconsole.resets.fields import Fields
from kafkaconsole.resets.plans import Why
from kafkaconsole.resets.strategies.contract import Context, Nothing, Strategy, Wish
from kafkaconsole.words import words

_IDS = range(1, 2**63)
_ONE_OF = "either as_of (a moment) or snapshot (the id of an attempt)"


@dataclass(frozen=True, slots=True)
class Restore(Strategy):
    """What `recalls` names: one of its two fields is set.

    A snapshot holds whole commits, and text and leader epoch go back with the offset. The history holds offsets alone,
    so the text that the group has now stays.
    """

    recalls: Recall

    kind: ClassVar[str] = "restore"
    place: ClassVar[int] = 100
    title: ClassVar[str] = "Back to what the group had"

    @classmethod
    def parse(cls, fields: Fields, context: Context) -> Self | None:
        """Read `as_of`, a moment that names its zone, or `snapshot`, an attempt's id."""
        as_of, snapshot = fields.get("as_of"), fields.get("snapshot")
        if (as_of is None) == (snapshot is None):
            fields.problem("as_of", as_of, _ONE_OF)
            return None
        if snapshot is not None:
            attempt = fields.integer("snapshot", words("the id of an attempt, a whole number from 1"), _IDS)
            return None if attempt is None else cls(Recall(snapshot=attempt))
        text = fields.text("as_of", instants.INSTANT_FORMS)
        if text is None:
            return None
        try:
            return cls(Recall(as_of=instants.parse_instant(text, None).at))
        except instants.Unreadable as bad:
            fields.problem(
                "as_of", text, bad.expected if bad.about == "datetime" else words("a moment that names its zone")
            )
            return None

    def own_fields(self) -> Mapping[str, object]:
        """The attempt, or the moment in UTC."""
        if self.recalls.as_of is None:
            return {"snapshot": self.recalls.snapshot}
        return {"as_of": instants.utc_text(self.recalls.as_of)}

    @property
    def names_partitions(self) -> bool:
        """A snapshot does; of a moment in the history a person says which topics are meant."""
        return self.recalls.snapshot is not None

    def starts_from(self, of: PartitionFacts) -> bool:
        """The commit that counts is the earlier one."""
        return of.source is not None

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The earlier commit, or that there be none where there was none; never what nobody knows."""
        earlier = facts.earlier
        if earlier is None:
            raise ValueError("the facts of a plan that restores hold what was earlier")
        topic = of.of.topic
        if topic in earlier.not_known:
            return Why.NOT_KNOWN_THEN
        if earlier.topic_ids.get(topic, "") not in ("", of.topic_id):  # "": nobody could tell the id then
            return Why.TOPIC_MADE_AGAIN
        if of.source is None:
            return self._without_commit(of, earlier)
        return of.source if earlier.attempt is not None else of.source.offset

    def _without_commit(self, of: PartitionFacts, earlier: Earlier) -> Wish:
        """No commit then, or nothing is known: a topic that the history never met was never looked at."""
        if of.of in earlier.offsets:
            return Nothing.COMMITTED
        if earlier.attempt is not None:
            return Why.NOT_IN_SNAPSHOT
        return Nothing.COMMITTED if of.of.topic in earlier.topic_ids else Why.NOT_KNOWN_THEN
