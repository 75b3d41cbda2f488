"""What a chart is asked to show: a stretch of time, and which of the group's partitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from kafkaconsole.history.errors import BadRange
from kafkaconsole.words import words

RANGES: Mapping[str, timedelta] = {
    "10m": timedelta(minutes=10),
    "1h": timedelta(hours=1),
    "6h": timedelta(hours=6),
    "24h": timedelta(hours=24),
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
}
USUAL = "6h"
LIVE_SECONDS: Mapping[str, int] = {"10m": 5, "1h": 10, "6h": 15, "24h": 30, "7d": 120, "30d": 300}
"""How often the tail is asked for again; a longer stretch moves slower."""


@dataclass(frozen=True, slots=True)
class Asked:
    """`range` is a key of RANGES and ends at `end`, now. Without topic and partition: the sum over all, or each
    partition by itself (`each`)."""

    range: str
    start: datetime
    end: datetime
    topic: str | None = None
    partition: int | None = None
    each: bool = False

    @property
    def what(self) -> str:
        """The value of the page's choice: nothing, a topic, or topic:partition."""
        if self.topic is None:
            return ""
        return self.topic if self.partition is None else f"{self.topic}:{self.partition}"

    @property
    def live_seconds(self) -> int:
        """Seconds until the chart asks again."""
        return LIVE_SECONDS[self.range]


def read(query: Mapping[str, str], now: datetime, first_seen_at: datetime) -> Asked:
    """From an address's query: `range`, `show` (sum or each), `what`. Raises BadRange for a word that means nothing.

    Without a range, a group that is new to the console is shown over the shortest one that holds all of it.
    """
    name = query.get("range") or _range_for(now - first_seen_at)
    if name not in RANGES:
        raise BadRange(field="range", found=repr(name), expected=words("one of {names}", names=", ".join(RANGES)))
    show = query.get("show") or "sum"
    if show not in ("sum", "each"):
        raise BadRange(field="show", found=repr(show), expected=words("sum or each"))
    topic, partition = _place(query.get("what", ""))
    return Asked(name, now - RANGES[name], now, topic, partition, each=show == "each" and partition is None)


def _range_for(known: timedelta) -> str:
    """The shortest range that holds all that is known of a group, at most the usual one."""
    fitting = (name for name, length in RANGES.items() if known < length or name == USUAL)
    return next(fitting)


def _place(what: str) -> tuple[str | None, int | None]:
    """`topic` or `topic:3`; topics' names hold no colon."""
    if "\0" in what:
        raise BadRange(field="what", found=repr(what), expected=words("a topic, or topic:partition"))
    topic, colon, number = what.partition(":")
    if not colon:
        return topic or None, None
    if not topic or not (number.isascii() and number.isdecimal()) or len(number) > 9:
        raise BadRange(field="what", found=repr(what), expected=words("a topic, or topic:partition"))
    return topic, int(number)
