"""What a policy says beside who signs: plain values, and the JSON in which a version keeps them."""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from kafkaconsole.approvals import patterns, windows
from kafkaconsole.approvals.errors import BadPolicy
from kafkaconsole.approvals.windows import Closed
from kafkaconsole.words import words

LONGEST_LIFE = timedelta(days=366)
MOST_REASON = 1000


class OverrideBy(StrEnum):
    """Who may carry a plan out although it is closed."""

    NOBODY = "nobody"
    ADMINISTRATORS = "administrators"
    OWNERS = "owners"


OVERRIDERS = {
    OverrideBy.NOBODY: words("nobody"),
    OverrideBy.ADMINISTRATORS: words("administrators"),
    OverrideBy.OWNERS: words("administrators and owners of the team"),
}
"""The same for people."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules of a version. A field that is left as it is here leaves the console as it is without policies.

    `reason_least`: so many characters at least. `ticket_needed`, `ticket_pattern` (see `patterns`; empty: any).
    `approval_life`: an approval older than this counts no longer; `request_life`: so long a request lives at most,
    from when it was asked for or from its earliest start (None: as the settings say). `windows` and `freezes` are
    lines in the clock of `zone` (see `windows`): when a plan may be carried out; `override_by`: who may set them aside
    for one plan, with a reason. `second_administrator`: while this is in force, every change of any policy takes effect
    only once another administrator confirms it. `log_growth`: so many offsets may each log have grown since the plan was
    made (None: any); more makes the plan stale. `wait_limit`: so long it waits for the group to be Empty, then it is
    stale too (None: as long as the request lives; nothing: it does not wait). `last_editor_may_count`: whoever changed the
    request last may be one of those who sign it, if they have the role.
    """

    reason_least: int = 1
    ticket_needed: bool = False
    ticket_pattern: str = ""
    approval_life: timedelta | None = None
    request_life: timedelta | None = None
    zone: str = "UTC"
    windows: tuple[str, ...] = ()
    freezes: tuple[str, ...] = ()
    override_by: OverrideBy = OverrideBy.NOBODY
    second_administrator: bool = False
    log_growth: int | None = None
    wait_limit: timedelta | None = None
    last_editor_may_count: bool = False

    def closed(self, now: datetime) -> Closed | None:
        """Why nothing may be carried out at this instant; None: it may."""
        opened = [found for line in self.windows if (found := windows.read_window(line))]
        frozen = [freeze for line in self.freezes if (freeze := windows.read_freeze(line))]
        return windows.closed(opened, frozen, self.zone, now)


def as_json(terms: Terms) -> dict[str, object]:
    """As a row keeps them; lengths of time in whole seconds."""
    return {
        "reason_least": terms.reason_least,
        "ticket_needed": terms.ticket_needed,
        "ticket_pattern": terms.ticket_pattern,
        "approval_life_s": _seconds(terms.approval_life),
        "request_life_s": _seconds(terms.request_life),
        "zone": terms.zone,
        "windows": list(terms.windows),
        "freezes": list(terms.freezes),
        "override_by": terms.override_by.value,
        "second_administrator": terms.second_administrator,
        "log_growth": terms.log_growth,
        "wait_limit_s": _seconds(terms.wait_limit),
        "last_editor_may_count": terms.last_editor_may_count,
    }


def from_json(stored: Mapping[str, object]) -> Terms:
    """The terms of a row; what an older version does not name is as it was then: as the defaults say."""
    plain = Terms()
    return Terms(
        reason_least=int(str(stored.get("reason_least", plain.reason_least))),
        ticket_needed=bool(stored.get("ticket_needed", plain.ticket_needed)),
        ticket_pattern=str(stored.get("ticket_pattern", plain.ticket_pattern)),
        approval_life=_life(stored.get("approval_life_s")),
        request_life=_life(stored.get("request_life_s")),
        zone=str(stored.get("zone", plain.zone)),
        windows=_lines(stored.get("windows")),
        freezes=_lines(stored.get("freezes")),
        override_by=OverrideBy(str(stored.get("override_by", plain.override_by))),
        log_growth=_count(stored.get("log_growth")),
        wait_limit=_life(stored.get("wait_limit_s")),
        second_administrator=bool(stored.get("second_administrator", plain.second_administrator)),
        last_editor_may_count=bool(stored.get("last_editor_may_count", plain.last_editor_may_count)),
    )


def check(terms: Terms) -> None:
    """Raise BadPolicy for terms that cannot be kept."""
    if not 1 <= terms.reason_least <= MOST_REASON:
        raise BadPolicy(field="reason_least", found=terms.reason_least, expected=f"1 to {MOST_REASON} characters")
    wrong = patterns.problem_of(terms.ticket_pattern)
    if wrong is not None:
        raise BadPolicy(field="ticket_pattern", found=terms.ticket_pattern, expected=wrong)
    for field, life in (("approval_life", terms.approval_life), ("request_life", terms.request_life)):
        if life is not None and (not timedelta(minutes=1) <= life <= LONGEST_LIFE or life.seconds % 60):
            raise BadPolicy(field=field, found=str(life), expected="whole minutes, 1 minute to 366 days, or nothing")

    if terms.log_growth is not None and not 0 <= terms.log_growth < 2**63:
        raise BadPolicy(
            field="log_growth", found=str(terms.log_growth), expected=words("a count of offsets, or nothing")
        )
    limit = terms.wait_limit
    if limit is not None and (not timedelta(0) <= limit <= LONGEST_LIFE or limit.seconds % 60):
        expected = words("whole minutes, at most 366 days, or nothing")
        raise BadPolicy(field="wait_limit", found=str(limit), expected=expected)
    _check_windows(terms)


def _check_windows(terms: Terms) -> None:
    try:
        zoneinfo.ZoneInfo(terms.zone)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        raise BadPolicy(field="zone", found=terms.zone[:80], expected=words("an IANA time zone")) from None
    for field, lines, read, like in (
        ("windows", terms.windows, windows.read_window, "mon-fri 09:00-17:00"),
        ("freezes", terms.freezes, windows.read_freeze, "2026-12-24 00:00 to 2027-01-02 00:00 year's end"),
    ):
        if len(lines) > windows.MOST_LINES:
            raise BadPolicy(field=field, found=f"{len(lines)}", expected=words("at most 50 lines"))
        for line in lines:
            if read(line) is None:
                raise BadPolicy(field=field, found=line[:120], expected=words("lines like {like}", like=like))


def _lines(stored: object) -> tuple[str, ...]:
    return tuple(map(str, stored)) if isinstance(stored, list | tuple) else ()


def _count(stored: object) -> int | None:
    return None if stored is None else int(str(stored))


def _seconds(length: timedelta | None) -> int | None:
    return None if length is None else int(length.total_seconds())


def _life(stored: object) -> timedelta | None:
    return None if stored is None else timedelta(seconds=int(str(stored)))
