"""Refusals of the workflow; codes are part of the API."""

from __future__ import annotations

from kafkaconsole.errors import Refused


class IllegalMove(Refused):
    """A state was asked to move where the table of moves does not let it. Facts: source, target."""

    code = "reset.illegal_move"


class StateMoved(Refused):
    """Someone else moved the request first. Facts: expected."""

    code = "reset.state_moved"
