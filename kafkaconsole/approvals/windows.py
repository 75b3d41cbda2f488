"""When a plan may be carried out: weekly windows in one zone, and freezes of the calendar. Plain Python, no clock.

A window is a line like `mon-fri 09:00-17:00` or `sat,sun 10:00-24:00`; without windows every hour is open. A freeze is a
line like `2026-12-24 00:00 to 2027-01-02 00:00 year's end`: clock times of the zone, the end not included.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
DAY_MINUTES = 24 * 60
MOST_LINES = 50
MOST_STEPS = 200
"""So many freezes and closed weeks are stepped over in the search for the next opening."""

_WINDOW = re.compile(r"([a-z,-]+) (\d\d):(\d\d)-(\d\d):(\d\d)")
_FREEZE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d) to (\d{4}-\d\d-\d\d \d\d:\d\d)(?: (.{1,120}))?")


@dataclass(frozen=True, slots=True)
class Window:
    """Open on these days of the week (0: Monday) from `start` to `end`, in minutes of the day."""

    days: frozenset[int]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Freeze:
    """Closed from one clock time of the zone to another."""

    start: datetime
    end: datetime
    why: str


@dataclass(frozen=True, slots=True)
class Closed:
    """Not now: `opens_at` None: not in the time that is looked ahead. `why` is what the freeze says."""

    opens_at: datetime | None
    why: str


def read_window(line: str) -> Window | None:
    """The window of a line; None: it is none."""
    found = _WINDOW.fullmatch(line.strip().lower())
    days = _days(found[1]) if found else None
    if found is None or not days:
        return None
    start, end = int(found[2]) * 60 + int(found[3]), int(found[4]) * 60 + int(found[5])
    is_clock = int(found[3]) < 60 and int(found[5]) < 60
    return Window(days, start, end) if is_clock and start < end <= DAY_MINUTES else None


def read_freeze(line: str) -> Freeze | None:
    """The freeze of a line; None: it is none."""
    found = _FREEZE.fullmatch(line.strip())
    if found is None:
        return None
    try:
        start, end = (datetime.fromisoformat(found[at]) for at in (1, 2))
    except ValueError:
        return None
    return Freeze(start, end, found[3] or "") if start < end else None


def closed(windows: Sequence[Window], freezes: Sequence[Freeze], zone: str, now: datetime) -> Closed | None:
    """Why nothing may be carried out at the instant `now`, and from when on it may; None: it may."""
    place = zoneinfo.ZoneInfo(zone)
    why = next((one.why for one in freezes if _holds(one, _clock(now, place))), None)
    if why is None and _is_open(windows, _clock(now, place)):
        return None
    at = now
    for _ in range(MOST_STEPS):
        later = _step(windows, freezes, at, place)
        if later == at:
            return Closed(at, why or "")
        if later is None:
            break
        at = later
    return Closed(None, why or "")


def _step(
    windows: Sequence[Window], freezes: Sequence[Freeze], at: datetime, place: zoneinfo.ZoneInfo
) -> datetime | None:
    """The same instant where it is open, else the next at which something changes."""
    here = _clock(at, place)
    ends = [one.end for one in freezes if _holds(one, here)]
    if ends:
        return _instant(max(ends), place)
    if _is_open(windows, here):
        return at
    starts = (_instant(start, place) for start in _starts(windows, here.date()))
    return min((start for start in starts if start > at), default=None)


def _starts(windows: Sequence[Window], first: date) -> list[datetime]:
    """When windows open from a day on, over eight days."""
    days = [first + timedelta(days=number) for number in range(9)]
    return [
        datetime(day.year, day.month, day.day) + timedelta(minutes=one.start)  # noqa: DTZ001  a clock time of the zone
        for day in days
        for one in windows
        if day.weekday() in one.days
    ]


def _is_open(windows: Sequence[Window], here: datetime) -> bool:
    minute = here.hour * 60 + here.minute
    return not windows or any(here.weekday() in one.days and one.start <= minute < one.end for one in windows)


def _holds(freeze: Freeze, here: datetime) -> bool:
    return freeze.start <= here < freeze.end


def _clock(at: datetime, place: zoneinfo.ZoneInfo) -> datetime:
    return at.astimezone(place).replace(tzinfo=None)


def _instant(clock: datetime, place: zoneinfo.ZoneInfo) -> datetime:
    return clock.replace(tzinfo=place).astimezone(UTC)


def _days(text: str) -> frozenset[int] | None:
    found: set[int] = set()
    for part in text.split(","):
        first, hyphen, last = part.partition("-")
        if first not in DAYS or (hyphen and last not in DAYS):
            return None
        start, end = DAYS.index(first), DAYS.index(last or first)
        found |= {(start + number) % 7 for number in range((end - start) % 7 + 1)}
    return frozenset(found)
