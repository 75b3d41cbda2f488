"""The topics: how they are cleaned and stamped, whether they are still the same ones, and how soon targets go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from kafkaconsole.kafka.values import Problem, TopicConfig, TopicPartition
from kafkaconsole.resets.facts import Facts
from kafkaconsole.resets.plans import Line, PlanWarning
from kafkaconsole.resets.warnings.naming import NAMED, named

DELETED_SOON = timedelta(days=1)


def warnings_of(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    """Of the topics in the plan."""
    yield from _of_settings(facts)
    yield from _of_identity(facts, lines)
    soon = [(line.of, left) for line in lines if (left := _left(facts, line)) is not None]
    if soon:
        hours = round(min(left for _, left in soon).total_seconds() / 3600, 1)
        yield PlanWarning("target_expires", {**named([of for of, _ in soon]), "hours": str(max(hours, 0))})


def _of_settings(facts: Facts) -> Iterator[PlanWarning]:
    configs = sorted(facts.topic_configs.items())
    compacted = [name for name, one in configs if isinstance(one, TopicConfig) and "compact" in one.cleanup_policy]
    if compacted:
        yield PlanWarning("compacted_topics", _topics(compacted))
    if facts.resolved_instant is not None:
        stamped = [name for name, _ in configs if _is_append_time(facts, name)]
        if stamped:
            made = [name for name, one in configs if name not in stamped and isinstance(one, TopicConfig)]
            yield PlanWarning("log_append_time", {**_topics(stamped), "by_producer": made[:NAMED]})
    unknown = [name for name, one in configs if isinstance(one, Problem)]
    if unknown:
        yield PlanWarning("topic_settings_unknown", _topics(unknown))


def _is_append_time(facts: Facts, topic: str) -> bool:
    """As the topic's setting says, or where that cannot be read, as its records do."""
    config = facts.topic_configs[topic]
    if isinstance(config, TopicConfig):
        return config.timestamp_type == "LogAppendTime"
    kinds = {one.timestamp_type for of, near in facts.around.items() if of.topic == topic for one in near}
    return "log_append_time" in kinds


def _of_identity(facts: Facts, lines: Sequence[Line]) -> Iterator[PlanWarning]:
    """Made again, or grown, since our history looked."""
    ids = {line.of.topic: line.topic_id for line in lines if line.topic_id}
    again = {name: since.isoformat() for name, since in facts.seen.made_again.items() if name in ids}
    for name, topic_id in ids.items():
        if facts.seen.topic_ids.get(name, topic_id) != topic_id:
            again[name] = facts.measured_at.isoformat()
    if again:
        yield PlanWarning("topics_made_again", {"count": len(again), "topics": dict(sorted(again.items())[:NAMED])})
    grown = {
        name: {"from": before, "to": facts.partitions_counts[name], "seen_at": at.isoformat()}
        for name, (before, at) in sorted(facts.seen.partitions_before.items())
        if name not in again and name in facts.partitions_counts and before < facts.partitions_counts[name]
    }
    if grown:
        yield PlanWarning("partitions_added", {"count": len(grown), "topics": dict(list(grown.items())[:NAMED])})


def _left(facts: Facts, line: Line) -> timedelta | None:
    """How long until the target is deleted if the log start goes on as it did; None: not soon, no move, or no target.

    Log starts move in steps, a segment at a time, so this is no more than an estimate.
    """
    was = facts.seen.log_starts.get(TopicPartition(line.of.topic, line.of.partition))
    if was is None or line.target is None or line.log_start is None or line.target == line.log_end:
        return None
    moved, took = line.log_start - was.offset, facts.measured_at - was.at
    if moved <= 0 or took <= timedelta(0):
        return None
    seconds = took.total_seconds() * (line.target - line.log_start) / moved  # more than a timedelta holds, maybe
    return timedelta(seconds=seconds) if seconds < DELETED_SOON.total_seconds() else None


def _topics(names: Sequence[str]) -> dict[str, object]:
    return {"count": len(names), "topics": list(names[:NAMED])}
