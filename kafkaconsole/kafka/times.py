"""Kafka's milliseconds and our instants."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def instant_of(milliseconds: int) -> datetime | None:
    """The instant of a record's timestamp; None for "no timestamp" (-1) and for what no calendar holds (year 10000)."""
    if milliseconds < 0:
        return None
    try:
        return EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None


def milliseconds_of(instant: datetime) -> int:
    """Whole milliseconds since 1970, rounded up: a record at or after the instant is at or after that millisecond."""
    return -((EPOCH - instant) // MILLISECOND)
