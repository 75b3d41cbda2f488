"""A moment as people type or paste it: what it is read as, said back, and asked back where a clock change spoils it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.resets import instants
from kafkaconsole.resets.fields import shown as shown_text
from kafkaconsole.resets.forms.zones import AS_WRITTEN
from kafkaconsole.words import shown

CHOICE = "_choice"
"""What a field's name ends with where the field was asked back: the moment chosen, with its offset."""

RECOGNISED = {
    "epoch_seconds": lazy("epoch seconds"),
    "epoch_milliseconds": lazy("epoch milliseconds"),
    "offset": lazy("by its own offset"),
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the two moments that a wall clock may mean where a clock change makes it mean two, or none."""

    text: str
    at: datetime

    @property
    def words(self) -> str:
        """Its own wall clock, its offset, and UTC."""
        return f"{self.text.replace('T', ' ')} ({_utc(self.at)})"


@dataclass(frozen=True, slots=True)
class Moment:
    """What was typed comes to. `at` None: nothing typed, or not readable as it is (`error` says why).

    `text` and `zone` are what the change says; `choices` are there where the person must choose between two.
    """

    text: str = ""
    zone: str | None = None
    at: datetime | None = None
    read_as: str = ""
    error: str = ""
    choices: tuple[Candidate, ...] = ()
    chosen: str = ""

    @property
    def said(self) -> str:
        """“Read as 2026-12-01 00:00:00 UTC”, with how it was recognised; empty where it could not be read."""
        if self.at is None:
            return ""
        how = RECOGNISED.get(self.read_as)
        clock = _("a wall clock in %(zone)s") % {"zone": self.zone or "UTC"}
        return _("Read as %(moment)s: %(how)s.") % {"moment": _utc(self.at), "how": how or clock}


def read(text: str, zone: str, chosen: str = "") -> Moment:
    """Read a text with the zone that stands beside it; `chosen` is the answer where it was asked back before.

    A text that carries its own offset, or is an epoch, needs no zone: the one beside it does not count, and that is said.
    """
    text = text.strip()
    if not text:
        return Moment()
    named = None if zone in ("", AS_WRITTEN) else zone
    try:
        found = _read(text, named)
    except instants.Unreadable as bad:
        return _not_readable(text, named, chosen, bad)
    return Moment(text, named if found.read_as == "wall_clock" else None, found.at, found.read_as)


def read_field(sent: Mapping[str, object], name: str, zone: str | None = None) -> Moment:
    """The same for one field of a form as sent; without a zone, in the reader's own."""
    own = timezone.get_current_timezone_name() if zone is None else zone
    return read(str(sent.get(name, "")), own, str(sent.get(name + CHOICE, "")))


def _read(text: str, zone: str | None) -> instants.ReadInstant:
    """With the zone only where the text does not say its own."""
    try:
        return instants.parse_instant(text, None)
    except instants.Unreadable as bad:
        if bad.about != "timezone" or zone is None:
            raise
    return instants.parse_instant(text, zone)


def _not_readable(text: str, zone: str | None, chosen: str, bad: instants.Unreadable) -> Moment:
    choices = candidates(text, zone) if zone else ()
    picked = next((one for one in choices if one.text == chosen), None)
    if picked is not None:
        return Moment(picked.text, None, picked.at, "offset", choices=choices, chosen=chosen)
    if choices:
        return Moment(text, zone, error=_asked_back(text, zone or "", choices), choices=choices)
    if bad.about == "timezone":
        return Moment(text, zone, error=_("This is a wall clock: choose its time zone, or write an offset such as Z."))
    told = {"found": shown_text(text), "expected": shown(bad.expected)}
    return Moment(text, zone, error=_("Found %(found)s; expected %(expected)s.") % told)


def _asked_back(text: str, zone: str, choices: tuple[Candidate, ...]) -> str:
    wall = text.replace("T", " ")
    twice = choices[0].text.startswith(wall.replace(" ", "T"))
    if twice:
        told = _("Clocks in %(zone)s were put back here, so they show %(wall)s twice: choose which one you mean.")
    else:
        told = _("Clocks in %(zone)s were put forward here and never show %(wall)s: choose which one you mean.")
    return told % {"zone": zone, "wall": wall}


def candidates(text: str, zone: str) -> tuple[Candidate, ...]:
    """The two moments of a wall clock that a clock change doubles or skips, the earlier first; none for any other."""
    try:
        wall = instants.parse_instant(text, "UTC").at.replace(tzinfo=None)
        place = ZoneInfo(zone)
    except (instants.Unreadable, ValueError, KeyError):
        return ()
    both = sorted({wall.replace(tzinfo=place, fold=fold).astimezone(UTC) for fold in (0, 1)})
    if len(both) < 2:
        return ()
    return tuple(Candidate(one.astimezone(place).isoformat(), one) for one in both)


def _utc(at: datetime) -> str:
    milliseconds = f".{at.microsecond // 1000:03d}" if at.microsecond else ""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S}{milliseconds} UTC"
