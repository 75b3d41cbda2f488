"""The partitions: what their lines come to, and what is lost or undecided there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets.change import Change
from kafkaconsole.resets.facts import Facts
from kafkaconsole.resets.plans import Action, Line, PlanWarning, Why
from kafkaconsole.resets.warnings.naming import changes, named

_CLAMPED = frozenset({Why.CLAMPED_TO_LOG_START, Why.CLAMPED_TO_LOG_END})


def warnings_of_plan(change: Change, facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    """Of the plan as a whole, and of what its scope leaves out."""
    refused = Counter(line.why.value for line in lines if line.action is Action.REFUSE and line.why)
    if refused:
        yield PlanWarning("lines_refused", {"count": refused.total(), "why": dict(sorted(refused.items()))})
    elif not any(changes(line) for line in lines):
        yield PlanWarning("no_changes")
    internal = sorted({line.of.topic for line in lines} & facts.internal_topics)
    if internal:
        yield PlanWarning("internal_topic", {"topics": internal})
    if facts.left_out:
        yield PlanWarning("streams_topics_left_out", {"group": facts.group.group, "topics": list(facts.left_out)})
    uncommitted = _uncommitted(facts, lines) if change.scope is not None and change.scope.all_committed else []
    if uncommitted:
        yield PlanWarning("partitions_uncommitted", named(uncommitted))


def _uncommitted(facts: Facts, lines: Sequence[Line]) -> list[TopicPartition]:
    """Partitions of the plan's topics that "all committed" does not hold: a topic's partitions are counted from 0."""
    held = {line.of for line in lines} | set(facts.gone)
    every = (TopicPartition(topic, at) for topic, count in facts.partitions_counts.items() for at in range(count))
    return sorted(of for of in every if of not in held)


def warnings_of(lines: Sequence[Line]) -> Iterator[PlanWarning]:
    """Of lines that have something in common."""
    clamped = [line.of for line in lines if line.why in _CLAMPED]
    if clamped:
        yield PlanWarning("lines_clamped", named(clamped))
    not_in_source = [line.of for line in lines if line.why is Why.NOT_IN_SOURCE]
    if not_in_source:
        yield PlanWarning("lines_not_in_source", named(not_in_source))
    undecided = [line for line in lines if _undecided(line)]
    if undecided:
        offsets = sum(_undecided(line) for line in undecided)
        yield PlanWarning("open_transactions", {**named([line.of for line in undecided]), "offsets": offsets})
    lost = [line for line in lines if _lost(line)]
    if lost:
        yield PlanWarning("records_lost", {**named([line.of for line in lost]), "offsets": sum(map(_lost, lost))})
    beyond = [line.of for line in lines if _beyond_end(line)]
    if beyond:
        yield PlanWarning("committed_beyond_end", named(beyond))


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
