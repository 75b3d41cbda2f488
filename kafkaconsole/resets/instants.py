"""Moments and durations as people write them. Every answer is aware and UTC, in whole milliseconds, never before 1970."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from kafkaconsole.words import counted, joined, words

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)

INSTANT_FORMS = words(
    "a moment such as 2026-12-01T09:00:00Z, 2026-12-01T09:00:00.250+09:00, 2026-12-01 09:00:00 +0900, "
    "a wall clock such as 2026-12-01T09:00 with a timezone, or epoch seconds (9 or 10 digits) or milliseconds (12 or 13)"
)
DURATION_FORMS = words(
    "a duration such as PT1H30M, P2D or PT90S: whole days (of 24 h), hours and minutes, seconds down to .001"
)

_CLOCK = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2})[T ](?P<time>\d{2}:\d{2}(?::\d{2}(?:\.(?P<fraction>\d{1,9}))?)?)"
    r" ?(?P<zone>Z|[+-]\d{2}(?::?\d{2})?)?",
    re.ASCII,
)
_EPOCH_DIGITS = re.compile(r"\d{9,10}|\d{12,13}", re.ASCII)
_DURATION = re.compile(
    r"P(?:(?P<days>\d{1,9})D)?"
    r"(?P<clock>T(?:(?P<hours>\d{1,9})H)?(?:(?P<minutes>\d{1,9})M)?(?:(?P<seconds>\d{1,12}(?:\.\d{1,9})?)S)?)?",
    re.ASCII | re.IGNORECASE,
)


class Unreadable(ValueError):
    """Text that is no moment or duration here; `expected` is for the person, `about` the field."""

    def __init__(self, about: str, expected: str) -> None:
        self.about = about
        self.expected = expected


@dataclass(frozen=True, slots=True)
class ReadInstant:
    """A moment, and how it was read: `offset` (it carried one), `wall_clock`, `epoch_seconds` or `epoch_milliseconds`."""

    at: datetime
    read_as: str


def epoch_ms(instant: datetime) -> int:
    """Milliseconds since 1970, rounded down."""
    return (instant - EPOCH) // MILLISECOND


def in_whole_ms(instant: datetime) -> datetime:
    """The same moment in UTC, rounded down to a millisecond: Kafka keeps no finer time."""
    return EPOCH + epoch_ms(instant) * MILLISECOND


def utc_text(instant: datetime) -> str:
    """The canonical RFC 3339 form in UTC, with milliseconds only where there are some: 2026-12-01T09:30:00Z."""
    precision = "milliseconds" if instant.microsecond else "seconds"
    return instant.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")


@cache
def zone_names() -> frozenset[str]:
    """Every IANA name this machine knows."""
    return frozenset(available_timezones())


def parse_instant(text: str, zone_name: str | None) -> ReadInstant:
    """Read what a person typed or pasted. Raises `Unreadable` about `datetime` or `timezone`."""
    zone = _zone(zone_name)
    text = text.strip()
    if _EPOCH_DIGITS.fullmatch(text):
        seconds = len(text) <= 10
        at = EPOCH + (timedelta(seconds=int(text)) if seconds else int(text) * MILLISECOND)
        return ReadInstant(at, "epoch_seconds" if seconds else "epoch_milliseconds")
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise Unreadable("datetime", INSTANT_FORMS)
    wall = _wall_clock(match)
    offset = match["zone"]
    if offset is None:
        at, read_as = _placed(wall, zone), "wall_clock"
    else:
        at, read_as = _with_offset(wall, offset, zone), "offset"
    if at < EPOCH:
        raise Unreadable("datetime", words("a moment in 1970 or later: to Kafka earlier ones are commands, not times"))
    return ReadInstant(at, read_as)


def _zone(name: str | None) -> ZoneInfo | None:
    if name is None:
        return None
    if name not in zone_names():
        raise Unreadable("timezone", words("an IANA time zone such as Asia/Seoul, Europe/Berlin or UTC"))
    return ZoneInfo(name)


def _wall_clock(match: re.Match[str]) -> datetime:
    fraction = (match["fraction"] or "").ljust(9, "0")
    if fraction[3:].strip("0"):
        raise Unreadable("datetime", words("at most whole milliseconds: Kafka keeps no finer time"))
    time = match["time"].split(".")[0]
    try:
        clock = datetime.fromisoformat(f"{match['date']}T{time}")
    except ValueError:
        raise Unreadable("datetime", words("a day and a time that exist (00:00:00 to 23:59:59)")) from None
    return clock + int(fraction[:3]) * MILLISECOND


def _with_offset(wall: datetime, offset: str, zone: ZoneInfo | None) -> datetime:
    """The moment that an offset names; a time zone given beside it must say the same."""
    at = _in_utc(wall, timezone(_distance(offset)))
    if zone is not None and at.astimezone(zone).utcoffset() != _distance(offset):
        raise Unreadable(
            "timezone",
            words(
                "no timezone beside an offset ({offset}), or one that agrees: in {zone} it is then {agrees}",
                offset=offset,
                zone=zone.key,
                agrees=f"{at.astimezone(zone):%z}",
            ),
        )
    return at


def _distance(offset: str) -> timedelta:
    digits = offset[1:].replace(":", "").ljust(4, "0")  # of Z nothing is left: no distance
    distance = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    if distance > timedelta(hours=18) or int(digits[2:]) > 59:
        raise Unreadable("datetime", words("an offset between -18:00 and +18:00"))
    return -distance if offset[0] == "-" else distance


def _placed(wall: datetime, zone: ZoneInfo | None) -> datetime:
    """A wall clock's moment; asked back where a clock change leaves it none, or two."""
    if zone is None:
        raise Unreadable(
            "timezone", words("an IANA time zone such as Asia/Seoul, or a datetime that carries an offset")
        )
    early, late = (_in_utc(wall.replace(fold=fold), zone) for fold in (0, 1))
    if early == late:
        return early
    before, after = sorted((early, late))
    candidates = words(
        "{first} or {second}", first=before.astimezone(zone).isoformat(), second=after.astimezone(zone).isoformat()
    )
    if before.astimezone(zone).replace(tzinfo=None) == wall:
        raise Unreadable(
            "datetime",
            words(
                "which of the two: the clock shows this time twice in {zone}; write {candidates}",
                zone=zone.key,
                candidates=candidates,
            ),
        )
    raise Unreadable(
        "datetime",
        words(
            "a time that exists: the clock skips this one in {zone}; write {candidates}",
            zone=zone.key,
            candidates=candidates,
        ),
    )


def _in_utc(wall: datetime, zone: timezone | ZoneInfo) -> datetime:
    try:
        return wall.replace(tzinfo=zone).astimezone(UTC)
    except OverflowError:
        raise Unreadable("datetime", words("a moment between the years 1970 and 9999")) from None


def parse_duration(text: str) -> timedelta:
    """An ISO 8601 duration of days (24 h each), hours, minutes and seconds, not negative. Raises `Unreadable`."""
    match = _DURATION.fullmatch(text.strip())
    if (
        match is None
        or not any(match[part] for part in ("days", "hours", "minutes", "seconds"))
        or match["clock"] in ("T", "t")
    ):
        raise Unreadable("duration", words("{forms}{mistake}", forms=DURATION_FORMS, mistake=_why_not(text)))
    whole, _, fraction = (match["seconds"] or "0").partition(".")
    if fraction[3:].strip("0"):
        raise Unreadable("duration", words("at most whole milliseconds: Kafka keeps no finer time"))
    try:
        return timedelta(
            days=int(match["days"] or 0),
            hours=int(match["hours"] or 0),
            minutes=int(match["minutes"] or 0),
            seconds=int(whole),
            milliseconds=int(fraction[:3].ljust(3, "0")),
        )
    except OverflowError:
        raise Unreadable("duration", words("a duration that does not reach before 1970")) from None


def _why_not(text: str) -> str:
    """A word on the usual mistakes."""
    if "-" in text:
        return words("; it may not be negative, it already counts back from now")
    date_part = text.upper().partition("T")[0]
    if any(unit in date_part for unit in "YMW"):
        return words("; years, months and weeks have no fixed length here, write days")
    return ""


def duration_text(duration: timedelta) -> str:
    """The canonical ISO 8601 form, e.g. P1DT2H30M; PT0S for none."""
    seconds, milliseconds = duration.seconds, duration.microseconds // 1000
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    second_text = f"{seconds}.{milliseconds:03d}".rstrip("0") if milliseconds else str(seconds)
    clock = "".join(
        f"{value}{unit}" for value, unit in ((hours, "H"), (minutes, "M"), (second_text, "S")) if str(value) != "0"
    )
    days = f"{duration.days}D" if duration.days else ""
    return f"P{days}T{clock}" if clock else f"P{days or 'T0S'}"


def duration_words(duration: timedelta) -> str:
    """The same for people: "1 day 2 hours 30 minutes"; a day is 24 hours."""
    milliseconds = duration // MILLISECOND
    days, milliseconds = divmod(milliseconds, 86_400_000)
    hours, milliseconds = divmod(milliseconds, 3_600_000)
    minutes, milliseconds = divmod(milliseconds, 60_000)
    parts = [
        counted("{count} day", "{count} days", days) if days else "",
        counted("{count} hour", "{count} hours", hours) if hours else "",
        counted("{count} minute", "{count} minutes", minutes) if minutes else "",
    ]
    if milliseconds or not any(parts):
        seconds = f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")
        is_one = words("1 second") if seconds == "1" else words("{count} seconds", count=seconds)
        parts.append(is_one)
    return joined(filter(None, parts), " ")
