"""Instants and durations in words: in the reader's zone, with the zone named; UTC is the tooltip."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

MILLISECOND = timedelta(milliseconds=1)


def zone_of(instant: datetime) -> str:
    """The zone's short name there and then; one that is only a number reads as UTC+03."""
    name = instant.tzname() or "UTC"
    return f"UTC{name}" if name[:1] in "+-" else name


def full(instant: datetime) -> str:
    """`1 Dec 2026, 09:00:00 KST`."""
    local = timezone.localtime(instant)
    return f"{formats.date_format(local, pgettext('date and time', 'j M Y, H:i:s'))} {zone_of(local)}"


def short(instant: datetime) -> str:
    """`today 18:00 KST`, or with the day, and with the year where it is another one."""
    local, today = timezone.localtime(instant), timezone.localdate()
    clock = f"{local:%H:%M} {zone_of(local)}"
    if local.date() == today:
        return _("today %(clock)s") % {"clock": clock}
    pattern = pgettext("day", "j M") if local.year == today.year else pgettext("day with year", "j M Y")
    return f"{formats.date_format(local, pattern)}, {clock}"


def clock(instant: datetime) -> str:
    """`09:00:00.113`, with the day before it where that is not today."""
    local = timezone.localtime(instant)
    text = f"{local:%H:%M:%S}.{local.microsecond // 1000:03d}"
    if local.date() == timezone.localdate():
        return text
    return f"{formats.date_format(local, pgettext('day', 'j M'))}, {text}"


def utc_iso(instant: datetime) -> str:
    """RFC 3339 in UTC, to the millisecond."""
    return f"{instant.astimezone(ZoneInfo('UTC')):%Y-%m-%dT%H:%M:%S}.{instant.microsecond // 1000:03d}Z"


def duration(length: timedelta) -> str:
    """The two largest units: `2 d 4 h`, `1 h 30 min`, `9 s`; below a second in milliseconds."""
    if length < timedelta(0):
        return f"−{duration(-length)}"
    if length < timedelta(seconds=1):
        return f"{length // MILLISECOND} ms" if length >= MILLISECOND else _("%(n)s s") % {"n": 0}
    left, parts = int(length.total_seconds()), list[str]()
    for size, unit in ((86_400, _("%(n)s d")), (3600, _("%(n)s h")), (60, _("%(n)s min")), (1, _("%(n)s s"))):
        count, left = divmod(left, size)
        if count or parts:
            parts.append(unit % {"n": count} if count else "")
        if len(parts) == 2:
            break
    return " ".join(part for part in parts if part)


def ago(instant: datetime) -> str:
    """How long since, or how long until."""
    passed = timezone.now() - instant
    if abs(passed) < timedelta(seconds=1):
        return _("just now")
    if passed < timedelta(0):
        return _("in %(time)s") % {"time": largest(-passed)}
    return _("%(time)s ago") % {"time": largest(passed)}


def largest(length: timedelta) -> str:
    """The largest unit alone; ages need no more."""
    seconds = int(length.total_seconds())
    for size, unit in ((86_400, _("%(n)s d")), (3600, _("%(n)s h")), (60, _("%(n)s min"))):
        if seconds >= size:
            return unit % {"n": seconds // size}
    return _("%(n)s s") % {"n": seconds}
