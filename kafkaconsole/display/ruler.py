"""Geometry of the offset ruler: a log from start to end, where a group stands, where it will stand, and the stretch between.

Positions are percentages of the picture's width. The log lies on the track; what is outside the log has a place of its
own on either side, so that a commit that retention has overtaken is never drawn as if it were still in the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

TRACK_START = 6.0
TRACK_END = 97.0
BELOW_LOG = 2.5
ABOVE_LOG = 99.0
MIN_STRETCH = 1.2
"""A stretch is at least this wide, so that one record in a million can still be seen, on the right side of the mark."""


class Direction(StrEnum):
    """Which way the group moves, counted from where it would really go on."""

    REPLAY = "replay"
    SKIP = "skip"
    NONE = "none"


class Spanned(Protocol):
    """Anything with a log's bounds and a group's commit: a plan line, a row of a group's standing, a sum of lines."""

    @property
    def log_start(self) -> int | None: ...
    @property
    def log_end(self) -> int | None: ...
    @property
    def committed(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Stretch:
    """The shaded part between the two marks: from `start`, `width` wide."""

    direction: Direction
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Ruler:
    """What to draw. `now` and `target` are None where there is no such mark; `bounds_known` False: no track at all.

    `action` is the plan line's (`set`, `leave`, `delete`, `refuse`), empty for a group that merely stands somewhere.
    """

    bounds_known: bool
    is_empty: bool
    retention_edge: bool
    now: float | None
    target: float | None
    stretch: Stretch | None
    action: str


def measure(
    log_start: int | None, log_end: int | None, committed: int | None, target: int | None, action: str = ""
) -> Ruler:
    """Lay one ruler out. Monotone: a larger offset is never drawn left of a smaller one."""
    if log_start is None or log_end is None:
        return Ruler(False, False, False, None, None, None, action)
    now = None if committed is None else _position(committed, log_start, log_end)
    will = None if target is None else _position(target, log_start, log_end)
    stretch = None
    if now is not None and will is not None and committed is not None and target is not None:
        going_on = min(max(committed, log_start), log_end)  # where the group would go on from (planning counts so too)
        anchor = _position(going_on, log_start, log_end)
        anchor, will, stretch = _stretch(anchor, will, target - going_on)
        now = anchor if going_on == committed else now
    return Ruler(True, log_start == log_end, log_start > 0, now, will, stretch, action)


def _position(offset: int, log_start: int, log_end: int) -> float:
    if offset < log_start:
        return BELOW_LOG
    if offset > log_end:
        return ABOVE_LOG
    if log_start == log_end:
        return (TRACK_START + TRACK_END) / 2
    share = (offset - log_start) / (log_end - log_start)
    return TRACK_START + share * (TRACK_END - TRACK_START)


def _stretch(anchor: float, will: float, moved: int) -> tuple[float, float, Stretch | None]:
    """Keep the marks on their true sides of each other, at least MIN_STRETCH apart, both on the track."""
    if moved == 0:
        return anchor, will, None
    if moved < 0:
        will, anchor = _apart(will, anchor, moves="left")
        return anchor, will, Stretch(Direction.REPLAY, will, anchor - will)
    anchor, will = _apart(anchor, will, moves="right")
    return anchor, will, Stretch(Direction.SKIP, anchor, will - anchor)


def _apart(left: float, right: float, moves: str) -> tuple[float, float]:
    """Move the target's mark (`left` or `right`) away from the other; at the track's edge the other one gives way."""
    if right - left >= MIN_STRETCH:
        return left, right
    if moves == "left":
        left = max(TRACK_START, right - MIN_STRETCH)
        return left, max(right, left + MIN_STRETCH)
    right = min(TRACK_END, left + MIN_STRETCH)
    return min(left, right - MIN_STRETCH), right
