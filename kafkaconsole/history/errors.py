"""Why a sweep did not measure. Sentences are found by code in `messages`."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, Refused


class BadRange(BadInput):
    """A chart that cannot be drawn. Facts: field, found, expected."""

    code = "history.bad_range"


class TurnLost(Refused):
    """The sweep took so long that its turn was given to another; nothing of it was stored."""

    code = "history.turn_lost"
