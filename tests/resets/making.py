"""Short ways to say a change and facts in the tests of planning."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from kafkaconsole.kafka.values import (
    Committed,
    GroupDescription,
    GroupId,
    GroupState,
    GroupType,
    Member,
    Offset,
    OffsetBounds,
    TimedOffset,
    TopicPartition,
)
from kafkaconsole.resets.change import Change, parse_change
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.planning import compute
from kafkaconsole.resets.plans import Line, Plan

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
T0 = TopicPartition("t", 0)
BODY: Mapping[str, object] = {
    "cluster": "demo",
    "group": "g",
    "scope": {"topics": [{"topic": "t"}]},
    "strategy": {"kind": "to_earliest"},
}


def a_change(kind: str = "to_earliest", *, rules: Mapping[str, str] | None = None, **more: Any) -> Change:
    """A change of group g on topic t; the strategy's own fields are given by `strategy`."""
    strategy = {"kind": kind, **more.pop("strategy", {})}
    return parse_change({**BODY, "strategy": strategy, "rules": dict(rules or {}), **more})


def at(milliseconds: int) -> datetime:
    """So many milliseconds after 1970."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)


def timed(offset: int, milliseconds: int) -> TimedOffset:
    """A record's offset and its time in milliseconds after 1970."""
    return TimedOffset(Offset(offset), at(milliseconds))


def a_partition(
    start: int = 10, end: int = 100, committed: int | None = 40, *, of: TopicPartition = T0, **more: Any
) -> PartitionFacts:
    """A healthy partition; `stable` is its last stable offset, `metadata` and `epoch` stand beside its commit."""
    stable = more.pop("stable", None)
    metadata, epoch = more.pop("metadata", ""), more.pop("epoch", None)
    bounds = OffsetBounds(Offset(start), Offset(end), None if stable is None else Offset(stable))
    own = None if committed is None else Committed(Offset(committed), metadata, epoch)
    return PartitionFacts(of=of, topic_id="topic-id-of-t", committed=own, **{"bounds": bounds, **more})


def a_group(state: GroupState = GroupState.EMPTY, **more: Any) -> GroupDescription:
    """Group g, a classic consumer group unless said otherwise."""
    told = {"type": GroupType.CLASSIC, "protocol_type": "consumer", "group": GroupId("g"), **more}
    return GroupDescription(state=state, **told)


def a_member(client_id: str = "billing-1", instance_id: str | None = None) -> Member:
    """A member that holds t-0."""
    return Member(f"{client_id}-id", client_id, "10.0.0.1", instance_id, (T0,))


def some_facts(*partitions: PartitionFacts, **more: Any) -> Facts:
    """Facts of group g at NOW."""
    told: dict[str, Any] = {"cluster_id": "cluster-id", "measured_at": NOW, "group": a_group(), **more}
    return Facts(partitions=partitions or (a_partition(),), **told)


def a_plan(change: Change, *partitions: PartitionFacts, **more: Any) -> Plan:
    """The plan of a change, with its moment resolved against NOW."""
    told = {"resolved_instant": change.strategy.instant(NOW), **more}
    return compute(change, some_facts(*partitions, **told), NOW)


def only_line(change: Change, *partitions: PartitionFacts, **more: Any) -> Line:
    """The one line of such a plan."""
    (line,) = a_plan(change, *partitions, **more).lines
    return line


def codes(plan: Plan) -> list[str]:
    """The codes of a plan's warnings, in order."""
    return [warning.code for warning in plan.warnings]
