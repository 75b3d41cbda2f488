"""What can be refused about the record."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, Refused, Unavailable


class AnchorUnreadable(BadInput):
    """A line that is no anchor. Facts: line (its number)."""

    code = "audit.anchor_unreadable"


class TooYoungToSeal(Refused):
    """Events that must stay longer. Facts: before, earliest."""

    code = "audit.too_young_to_seal"


class NothingToSeal(Refused):
    """No event is as old as that. Facts: before."""

    code = "audit.nothing_to_seal"


class RecordBroken(Refused):
    """A record that does not hold together is not sealed: it is looked into first. Facts: number, why."""

    code = "audit.broken"


class CheckUnderWay(Unavailable):
    """The first walk over a long record has not ended. Facts: checked, total."""

    code = "audit.check_under_way"
