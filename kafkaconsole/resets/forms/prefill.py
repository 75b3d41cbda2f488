"""A change back into the form's fields: what `Ask again` and links into the form start from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import QueryDict

from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets.files import offsets_as_csv
from kafkaconsole.resets.instants import Unreadable, parse_duration
from kafkaconsole.resets.models import Plan, ResetRequest
from kafkaconsole.resets.plans import Action

Fields = Mapping[str, object]


def query_of(request: ResetRequest) -> QueryDict:
    """What the form shows for the same change, reason and ticket."""
    query = query_of_change(request.change)
    query["reason"], query["ticket"] = request.reason, request.ticket
    return query


def query_of_change(change: Fields) -> QueryDict:
    """The fields of a change in its canonical JSON form."""
    query = QueryDict(mutable=True)
    query["cluster"], query["group"] = str(change.get("cluster", "")), str(change.get("group", ""))
    if change.get("create_group"):
        query["create_group"] = "on"
    strategy, rules = _mapping(change.get("strategy")), _mapping(change.get("rules"))
    kind = str(strategy.get("kind", ""))
    query["kind"] = kind
    query.update({name: str(value) for name, value in rules.items()})
    query.update({name: str(value) for name, value in _FIELDS.get(kind, dict)(strategy).items() if value is not None})
    _put_scope(query, _mapping(change.get("scope")))
    return query


def at_last_stable(plan: Plan) -> QueryDict:
    """The plan's own targets as a file; where one lies beyond open transactions, the last stable offset instead."""
    query = query_of_change(plan.change | {"strategy": {"kind": "from_file"}, "scope": None})
    lines = plan.lines.filter(action=Action.SET).order_by("topic", "partition")
    rows = lines.values_list("topic", "partition", "target", "last_stable")
    query["csv"] = offsets_as_csv(
        (TopicPartition(topic, partition), target if stable is None else min(target, stable))
        for topic, partition, target, stable in rows
        if target is not None
    )
    return query


def _put_scope(query: QueryDict, scope: Fields) -> None:
    topics = scope.get("topics")
    if not isinstance(topics, list):
        return
    query["scope"] = "topics"
    for one in topics:
        query.appendlist("topic", str(one["topic"]))
        if one.get("partitions") is not None:
            query[f"partitions:{one['topic']}"] = ranges(one["partitions"])


def ranges(partitions: list[int]) -> str:
    """Partitions as people write them: 0-3,7."""
    parts: list[list[int]] = []
    for number in sorted(partitions):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def _mapping(value: object) -> Fields:
    return value if isinstance(value, Mapping) else {}


def _shift(fields: Fields) -> Fields:
    by = fields.get("by")
    number = by if isinstance(by, int) else 0
    return {"direction": "back" if number < 0 else "forward", "by": abs(number)}


def _duration(fields: Fields) -> Fields:
    try:
        length = parse_duration(str(fields.get("duration", "")))
    except Unreadable:
        return {}
    minutes = int(length.total_seconds()) // 60
    return {"days": minutes // 1440, "hours": minutes // 60 % 24, "minutes": minutes % 60}


def _file(fields: Fields) -> Fields:
    return {"csv": fields.get("csv"), "file_topic": fields.get("topic")}


def _restore(fields: Fields) -> Fields:
    if fields.get("as_of"):
        return {"restore_from": "history", "datetime": fields["as_of"]}
    return {"restore_from": "snapshot", "snapshot": fields.get("snapshot")}


_FIELDS: Mapping[str, Callable[[Fields], Fields]] = {
    "to_datetime": lambda fields: {"datetime": fields.get("datetime"), "timezone": fields.get("timezone")},
    "by_duration": _duration,
    "shift_by": _shift,
    "to_offset": lambda fields: {"offset": fields.get("offset")},
    "from_file": _file,
    "copy_group": lambda fields: {"from_group": fields.get("from_group")},
    "restore": _restore,
}
