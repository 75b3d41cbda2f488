"""From the form's fields to the change in JSON (names as in the HTTP API). Only the chosen strategy's fields count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from kafkaconsole.resets.forms.moments import Moment
from kafkaconsole.resets.instants import duration_text, utc_text
from kafkaconsole.resets.pages import words

Given = Mapping[str, object]


def change_of(given: Given, topics: list[dict[str, object]]) -> dict[str, object]:
    """The change that the form says; what is missing is left out, so that the check names it."""
    kind = str(given.get("kind", ""))
    change: dict[str, object] = {
        "cluster": given.get("cluster"),
        "group": given.get("group"),
        "strategy": {"kind": kind} | _FIELDS.get(kind, _none)(given),
        "rules": _rules(kind, given),
        "create_group": bool(given.get("create_group")),
    }
    if kind == "from_file" and not topics:
        return change  # the file says which partitions
    whole = given.get("scope") != "topics" and kind != "from_file"
    change["scope"] = {"all_committed": True} if whole else {"topics": topics}
    return change


def wants_moment(given: Given) -> bool:
    """Whether the moment's field counts."""
    kind = given.get("kind")
    return kind == "to_datetime" or (kind == "restore" and given.get("restore_from") != "snapshot")


def _rules(kind: str, given: Given) -> dict[str, object]:
    rules = {"no_commit": given.get("no_commit") or None}
    if kind in words.BY_TIME.split():
        rules["no_record_after"] = given.get("no_record_after") or None
    if kind in words.OUTSIDE_LOG.split():
        rules["out_of_range"] = given.get("out_of_range") or None
    return rules


def _none(given: Given) -> dict[str, object]:
    return {}


def _offset(given: Given) -> dict[str, object]:
    return {"offset": given.get("offset")}


def _shift(given: Given) -> dict[str, object]:
    by = given.get("by")
    back = given.get("direction") != "forward"
    return {"by": -by if isinstance(by, int) and back else by}


def _duration(given: Given) -> dict[str, object]:
    """Three numbers in one ISO duration; none given is none, not a length of zero."""
    numbers = {name: given.get(name) for name in ("days", "hours", "minutes")}
    found = {name: number for name, number in numbers.items() if isinstance(number, int)}
    if not found:
        return {"duration": None}
    try:
        return {"duration": duration_text(timedelta(**found))}
    except OverflowError:
        return {"duration": f"P{found.get('days', 0)}DT{found.get('hours', 0)}H{found.get('minutes', 0)}M"}


def _moment(given: Given) -> dict[str, object]:
    moment = given.get("moment")
    if not isinstance(moment, Moment) or moment.at is None:
        return {"datetime": None}
    return {"datetime": moment.text, "timezone": moment.zone}


def _restore(given: Given) -> dict[str, object]:
    moment, snapshot = given.get("moment"), str(given.get("snapshot") or "")
    if given.get("restore_from") == "snapshot":
        return {"snapshot": int(snapshot) if snapshot.isascii() and snapshot.isdecimal() else None}
    return {"as_of": utc_text(moment.at) if isinstance(moment, Moment) and moment.at else None}


def _file(given: Given) -> dict[str, object]:
    return {"csv": given.get("csv"), "topic": given.get("file_topic") or None}


def _copy(given: Given) -> dict[str, object]:
    return {"from_group": given.get("from_group")}


_FIELDS: Mapping[str, Callable[[Given], dict[str, object]]] = {
    "to_offset": _offset,
    "shift_by": _shift,
    "by_duration": _duration,
    "to_datetime": _moment,
    "from_file": _file,
    "copy_group": _copy,
    "restore": _restore,
}
