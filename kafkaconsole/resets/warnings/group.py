"""The group: whether it is in use, whose it is, and whether it will still be there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from kafkaconsole.kafka.values import GroupState, GroupType, Member, Problem, SessionTimeout
from kafkaconsole.resets import frameworks
from kafkaconsole.resets.facts import Facts
from kafkaconsole.resets.plans import Action, Line, PlanWarning
from kafkaconsole.resets.warnings.naming import NAMED, named, offset_of

EXPIRES_SOON = timedelta(days=1)
USUAL_RETENTION = timedelta(days=7)
"""Kafka's default, taken where the brokers do not tell theirs; the warning says so."""


def warnings_of(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    """Of the group that is reset, and of the one that is copied."""
    yield from _of_state(facts, lines)
    yield from _of_owner(facts)
    yield from _of_movement(facts)
    yield from _of_expiry(facts)
    source = facts.source_group
    if source is not None and source.members:
        yield PlanWarning("source_group_active", {"group": source.group, "members": len(source.members)})
    if facts.resolved_instant is not None and facts.resolved_instant > facts.measured_at:
        yield PlanWarning("future_instant", {"instant": facts.resolved_instant.isoformat()})
    if facts.gone:
        yield PlanWarning("partitions_gone", named(facts.gone))


def _of_state(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    group = facts.group
    if group.state is GroupState.MISSING:
        yield PlanWarning("group_will_be_created", {"group": group.group})
        return
    if group.is_unused:
        return
    told: dict[str, object] = {"group": group.group, "state": group.state.value, "count": len(group.members)}
    yield PlanWarning("group_not_empty", told | {"members": [_member(one) for one in group.members[:NAMED]]})
    static = [one for one in group.members if one.instance_id]
    if static:
        seats: dict[str, object] = {"count": len(static), "members": [_member(one) for one in static[:NAMED]]}
        yield PlanWarning("static_members", seats | _session(facts.session_timeout))
    read = {of.topic for one in group.members for of in one.partitions}
    deleted = sorted({line.of.topic for line in lines if line.action is Action.DELETE} & read)
    if deleted:
        yield PlanWarning("delete_while_subscribed", {"group": group.group, "topics": deleted[:NAMED]})


def _session(timeout: SessionTimeout | Problem | None) -> dict[str, object]:
    """How long a member stays that was stopped: as told, as the longest that may be (`is_exact` false), or not known."""
    if not isinstance(timeout, SessionTimeout):
        return {"timeout_s": None, "is_exact": False}
    return {"timeout_s": round(timeout.length.total_seconds()), "is_exact": timeout.is_exact}


def _member(one: Member) -> Mapping[str, object]:
    """Who it is and what it reads."""
    return {
        "member_id": one.member_id,
        "client_id": one.client_id,
        "host": one.host,
        "instance_id": one.instance_id,
        "reads": named(one.partitions),
    }


def _of_owner(facts: Facts) -> Iterator[PlanWarning]:
    told = {"group": facts.group.group}
    owner = frameworks.owner_of(facts)
    match owner:
        case frameworks.Framework.STREAMS:
            yield PlanWarning("streams_application", told)
        case frameworks.Framework.CONNECT:
            yield PlanWarning("connect_sink", told)
        case frameworks.Framework.FLINK:
            yield PlanWarning("flink_job", told)
        case frameworks.Framework.SPARK:
            yield PlanWarning("spark_query", told)


def _of_movement(facts: Facts) -> Iterator[PlanWarning]:
    """Commits that move although the group is Empty: now, between two readings, or lately in our history."""
    if facts.second:
        before = {one.of: offset_of(one.committed) for one in facts.partitions}
        moved = [
            {"partition": str(of), "from": before[of], "to": offset_of(facts.second[of])}
            for of in sorted(facts.second)[:NAMED]
        ]
        yield PlanWarning("commits_moving", {"group": facts.group.group, "count": len(facts.second), "moved": moved})
    elif facts.group.state is GroupState.EMPTY and facts.seen.moved_while_empty:
        topics = {name: at.isoformat() for name, at in sorted(facts.seen.moved_while_empty.items())[:NAMED]}
        yield PlanWarning("commits_moved_lately", {"group": facts.group.group, "topics": topics})


def _of_expiry(facts: Facts) -> Iterator[PlanWarning]:
    """A classic group's commits expire from when it became Empty, so a reset does not keep them (reset-semantics B.2)."""
    since, group, kept = facts.seen.empty_since, facts.group, facts.offsets_retention
    clock_runs = group.type is GroupType.CLASSIC and group.protocol_type == "consumer"
    if since is None or group.state is not GroupState.EMPTY or not clock_runs or kept is None:
        return
    at = since + (USUAL_RETENTION if isinstance(kept, Problem) else kept)
    if at - facts.measured_at < EXPIRES_SOON:
        told = {"group": group.group, "empty_since": since.isoformat(), "at": at.isoformat()}
        yield PlanWarning("group_expires", told | {"assumed": isinstance(kept, Problem)})
