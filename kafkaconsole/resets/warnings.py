"""What approvers must know of a plan beyond its numbers. Each warning has a code and the facts of its sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kafkaconsole.kafka.values import Committed, GroupState, Offset, TopicPartition
from kafkaconsole.resets.change import Change
from kafkaconsole.resets.facts import Earlier, Facts, PartitionFacts
from kafkaconsole.resets.plans import Action, Line, PlanWarning, Why

NAMED_PARTITIONS = 20
"""A warning names so many partitions; the number of all stands beside them."""

_CLAMPED = frozenset({Why.CLAMPED_TO_LOG_START, Why.CLAMPED_TO_LOG_END})


def warnings_of(change: Change, facts: Facts, lines: Sequence[Line]) -> tuple[PlanWarning, ...]:
    """All warnings, the group's first, then the plan's, then the partitions'."""
    return (*_of_group(change, facts), *_of_plan(facts, lines), *_of_partitions(facts, lines))


def changes(line: Line) -> bool:
    """Whether the group's committed offset will be another after this line."""
    return line.action is Action.DELETE or (line.action is Action.SET and line.target != line.committed)


def _of_group(change: Change, facts: Facts) -> Iterator[PlanWarning]:
    group = facts.group
    if group.state is GroupState.MISSING:
        yield PlanWarning("group_will_be_created", {"group": group.group})
    elif group.state is not GroupState.EMPTY:
        members = [
            {"member_id": one.member_id, "client_id": one.client_id, "host": one.host, "instance_id": one.instance_id}
            for one in group.members
        ]
        yield PlanWarning("group_not_empty", {"group": group.group, "state": group.state.value, "members": members})
    if group.assignor == "stream":
        yield PlanWarning("streams_application", {"group": group.group})
    source = facts.source_group
    if source is not None and source.members:
        yield PlanWarning("source_group_active", {"group": source.group, "members": len(source.members)})
    if facts.resolved_instant is not None and facts.resolved_instant > facts.measured_at:
        yield PlanWarning("future_instant", {"instant": facts.resolved_instant.isoformat()})
    if facts.gone:
        yield PlanWarning("partitions_gone", _named(facts.gone))
    if facts.earlier is not None:
        yield from _of_earlier(facts.earlier, facts)


def _of_earlier(earlier: Earlier, facts: Facts) -> Iterator[PlanWarning]:
    """Whether the group has moved since it was reset, or how old the reading is that is put back."""
    if earlier.read_at is not None:
        age = round((earlier.at - earlier.read_at).total_seconds())
        held = {topic: since.isoformat() for topic, since in sorted(earlier.held_since.items())[:NAMED_PARTITIONS]}
        told = {"at": earlier.at.isoformat(), "read_at": earlier.read_at.isoformat(), "age_s": age, "held_since": held}
        yield PlanWarning("restored_from_history", told)
    moved = [one for one in facts.partitions if one.of in earlier.written and _now(one) != earlier.written[one.of]]
    if moved:
        both = [
            {"partition": str(one.of), "before": _offset(earlier.offsets[one.of]), "set": earlier.written[one.of],
             "now": _now(one)}
            for one in moved[:NAMED_PARTITIONS]
        ]  # fmt: skip
        yield PlanWarning("moved_since", {"count": len(moved), "attempt": earlier.attempt, "moved": both})


def _now(one: PartitionFacts) -> Offset | None:
    return _offset(one.committed)


def _offset(held: Committed | None) -> Offset | None:
    return None if held is None else held.offset


def _of_plan(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    refused = Counter(line.why.value for line in lines if line.action is Action.REFUSE and line.why)
    if refused:
        yield PlanWarning("lines_refused", {"count": refused.total(), "why": dict(sorted(refused.items()))})
    elif not any(changes(line) for line in lines):
        yield PlanWarning("no_changes")
    internal = sorted({line.of.topic for line in lines} & facts.internal_topics)
    if internal:
        yield PlanWarning("internal_topic", {"topics": internal})


def _of_partitions(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    clamped = [line.of for line in lines if line.why in _CLAMPED]
    if clamped:
        yield PlanWarning("lines_clamped", _named(clamped))
    without_record = [line.of for line in lines if line.why is Why.NO_RECORD_AFTER]
    if without_record:
        yield PlanWarning("lines_without_record", _named(without_record))
    not_in_source = [line.of for line in lines if line.why is Why.NOT_IN_SOURCE]
    if not_in_source:
        yield PlanWarning("lines_not_in_source", _named(not_in_source))
    undecided = [line for line in lines if _undecided(line)]
    if undecided:
        offsets = sum(_undecided(line) for line in undecided)
        yield PlanWarning("open_transactions", {**_named([line.of for line in undecided]), "offsets": offsets})
    lost = [line for line in lines if _lost(line)]
    if lost:
        yield PlanWarning("records_lost", {**_named([line.of for line in lost]), "offsets": sum(map(_lost, lost))})
    beyond = [line.of for line in lines if _beyond_end(line)]
    if beyond:
        yield PlanWarning("committed_beyond_end", _named(beyond))


def _undecided(line: Line) -> int:
    """Offsets of transactions that are still open, skipped by the target."""
    if line.target is None or line.last_stable is None or line.target <= line.last_stable:
        return 0
    return line.target - max(line.last_stable, min(line.committed or 0, line.target))


def _lost(line: Line) -> int:
    """Offsets that the group has not read and that are deleted already."""
    if line.committed is None or line.log_start is None:
        return 0
    return max(0, line.log_start - line.committed)


def _beyond_end(line: Line) -> bool:
    return line.committed is not None and line.log_end is not None and line.committed > line.log_end


def _named(partitions: Sequence[TopicPartition]) -> dict[str, object]:
    """How many partitions, and the first of them by name."""
    return {"count": len(partitions), "partitions": [str(of) for of in partitions[:NAMED_PARTITIONS]]}
