"""The strategies and rules as the form words them, and the title of a request in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from kafkaconsole.display import instants as shown
from kafkaconsole.resets import instants
from kafkaconsole.resets.models import Plan
from kafkaconsole.resets.strategies import STRATEGIES as KINDS

Word = str | Promise

_ALL: tuple[tuple[str, Word, Word], ...] = (
    ("to_earliest", lazy("From the beginning"), lazy("Everything that is still kept is read again.")),
    ("to_datetime", lazy("From a moment"), lazy("The first record at or after the moment, on each partition.")),
    ("by_duration", lazy("The last hours or days"), lazy("Back by a length of time, counted from the planning.")),
    ("shift_by", lazy("Back or forward by a number"), lazy("Each partition moves by so many offsets.")),
    ("to_offset", lazy("To one offset"), lazy("The same offset on every partition chosen.")),
    ("from_file", lazy("Each partition its own offset"), lazy("From lines of partition,offset, pasted or uploaded.")),
    ("copy_group", lazy("Where another group stands"), lazy("Its commits on the same partitions are taken over.")),
    (
        "restore",
        lazy("Back to where it was"),
        lazy("What the group had committed at a moment, or before an earlier reset."),
    ),
    ("to_latest", lazy("To the end"), lazy("Everything that is not yet read is skipped.")),
    (
        "to_current",
        lazy("Where it stands now"),
        lazy("Commits the present offsets again; moves nothing inside the log."),
    ),
    (
        "delete_offsets",
        lazy("Delete the commits"),
        lazy("Its consumers then begin where their own settings say (auto.offset.reset)."),
    ),
)

STRATEGIES = tuple(one for one in _ALL if one[0] in KINDS)
"""Kind, label and help of every strategy that can be planned, in the form's order."""

RESTORE_FROM: tuple[tuple[str, Word], ...] = (
    ("history", lazy("What the console’s history says for a moment")),
    ("snapshot", lazy("The snapshot saved before a reset")),
)

BY_TIME = "to_datetime by_duration"
OUTSIDE_LOG = "to_offset shift_by from_file copy_group to_current restore to_datetime by_duration"

NO_COMMIT_LABEL = lazy("Where there is no commit to start from")
NO_RECORD_AFTER_LABEL = lazy("Where there is no record at or after the moment")
OUT_OF_RANGE_LABEL = lazy("Where the offset is outside the log")

NO_COMMIT: tuple[tuple[str, Word], ...] = (
    ("strategy", lazy("Do what the strategy says; refuse if it starts from the commit")),
    ("leave", lazy("Leave the partition without a commit")),
    ("earliest", lazy("Start at the beginning of the log")),
    ("latest", lazy("Start at the end of the log")),
    ("refuse", lazy("Refuse the plan")),
)
NO_RECORD_AFTER: tuple[tuple[str, Word], ...] = (
    ("log_end", lazy("Go to the end of the log")),
    ("keep", lazy("Leave the commit as it is")),
    ("refuse", lazy("Refuse the plan")),
)
OUT_OF_RANGE: tuple[tuple[str, Word], ...] = (
    ("clamp", lazy("Take the nearest end of the log, and say so")),
    ("refuse", lazy("Refuse the plan")),
)


@dataclass(frozen=True, slots=True)
class Title:
    """A request in a sentence, cut around the group's name so that the page can set the name apart."""

    before: str
    group: str
    after: str

    def __str__(self) -> str:
        return f"{self.before}{self.group}{self.after}"


def title_of(change: Mapping[str, object], plan: Plan | None = None) -> Title:
    """“Read billing again from 09:00”: what a change does, in words.

    It says the direction only if the plan has one; without a plan, or when it goes both ways, “Set billing to 09:00”.
    """
    group = str(change.get("group", ""))
    strategy = change.get("strategy")
    fields = strategy if isinstance(strategy, Mapping) else {}
    kind = str(fields.get("kind", ""))
    before, _group, after = _sentence(kind, fields, plan).partition("{group}")
    if kind not in _MOVES_NOTHING_BY_NATURE and plan is not None and not plan.refused and not plan.changed_count:
        after += _(", which changes nothing")
    return Title(before, group, after)


_MOVES_NOTHING_BY_NATURE = ("to_current", "delete_offsets")


def _direction(plan: Plan | None) -> str:
    """“back” or “ahead”, if the plan's totals go that way alone; else nothing."""
    if plan is None or plan.refused or bool(plan.replayed) == bool(plan.skipped):
        return ""
    return "back" if plan.replayed else "ahead"


def _sentence(kind: str, fields: Mapping[str, object], plan: Plan | None) -> str:
    """The sentence with `{group}` still in it. A value is put in after the group's place is safe from it."""
    fixed = {
        "to_latest": _("Take {group} to the end of the log"),
        "to_current": _("Commit {group} again where it stands"),
        "from_file": _("Set {group} to the offsets of a file"),
        "delete_offsets": _("Delete the commits of {group}"),
    }
    if kind in fixed:
        return fixed[kind]
    if kind in ("to_earliest", "to_datetime", "by_duration"):
        return _placed(kind, fields, plan)
    if kind == "to_offset":
        return _filled(_("Set {group} to offset {value}"), _number(fields.get("offset")))
    if kind == "shift_by":
        return _shift(fields.get("by"))
    if kind == "restore":
        return _restored(fields)
    if kind == "copy_group":
        return _filled(_("Set {group} to where {value} stands"), str(fields.get("from_group", "")))
    return _("Change the offsets of {group}")


def _placed(kind: str, fields: Mapping[str, object], plan: Plan | None) -> str:
    """A place in time, that may lie behind the group or ahead of it."""
    way = _direction(plan)
    if kind == "to_earliest":
        back = _("Read {group} again from the beginning")
        return back if way == "back" else _("Set {group} to the beginning of the log")
    if kind == "to_datetime":
        back, ahead, neutral = (
            _("Read {group} again from {value}"),
            _("Skip {group} ahead to {value}"),
            _("Set {group} to {value}"),
        )
        value = _moment(fields, plan)
    else:
        back, ahead, neutral = (
            _("Read the last {value} of {group} again"),
            _("Skip {group} ahead to {value} ago"),
            _("Set {group} to {value} ago"),
        )
        value = _length(fields.get("duration"))
    return _filled({"back": back, "ahead": ahead}.get(way, neutral), value)


def _restored(fields: Mapping[str, object]) -> str:
    if fields.get("as_of"):
        return _filled(_("Put {group} back to where it stood at {value}"), _moment({"datetime": fields["as_of"]}, None))
    return _filled(_("Put {group} back to before attempt {value}"), str(fields.get("snapshot", "")))


def _filled(sentence: str, value: str) -> str:
    """Put the value in; braces in it cannot be taken for the group's place, which is cut out by its first brace."""
    before, after = sentence.split("{value}", 1)
    return f"{before}{value.replace('{group}', '{ group}')}{after}"


def _shift(by: object) -> str:
    number = by if isinstance(by, int) else 0
    count = abs(number)
    if number < 0:
        sentence = ngettext("Take {group} back by {value} offset", "Take {group} back by {value} offsets", count)
    else:
        sentence = ngettext("Take {group} forward by {value} offset", "Take {group} forward by {value} offsets", count)
    return _filled(sentence, f"{count:,}")


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _moment(fields: Mapping[str, object], plan: Plan | None) -> str:
    if plan is not None and plan.resolved_instant is not None:
        return shown.short(plan.resolved_instant)
    zone = str(fields.get("timezone") or "")
    try:
        return shown.short(instants.parse_instant(str(fields.get("datetime", "")), zone or None).at)
    except instants.Unreadable:
        return f"{fields.get('datetime', '')} {zone}".strip()


def _length(text: object) -> str:
    try:
        return shown.duration(instants.parse_duration(str(text)))
    except instants.Unreadable:
        return str(text)
