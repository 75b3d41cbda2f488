"""What the strategies that look for a moment share: the first record at or after it."""

from __future__ import annotations

from kafkaconsole.kafka.values import OffsetBounds
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.plans import Why
from kafkaconsole.resets.strategies.contract import Strategy, Wish


class AtInstant(Strategy):
    """A strategy whose `instant` is never None."""

    __slots__ = ()

    def wanted(self, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> Wish:
        """The broker's answer for the moment, cross-checked with the newest record where it knows none.

        The broker searches one segment only, so its "none" is believed just when the record with the highest
        timestamp is older than the moment. That record may itself be a deleted one; then nothing is known
        (reset-semantics A.5, in full), unless the records were read.
        """
        instant = facts.resolved_instant
        if instant is None:
            raise ValueError("the facts of a plan by time hold the moment")
        if of.found_at is not None:
            # At the log end or beyond: written after the bounds were measured, so nothing in this log matches.
            return of.found_at.offset if of.found_at.offset < bounds.log_end else Why.NO_RECORD_AFTER
        if bounds.log_start == bounds.log_end:
            return Why.PARTITION_EMPTY
        if of.searched:
            return Why.NO_RECORD_AFTER
        if of.newest is None or of.newest.at >= instant:
            return Why.NO_RECORD_AFTER_UNCERTAIN
        return Why.NO_RECORD_AFTER
