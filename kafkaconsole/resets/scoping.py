"""Which partitions a change comes to: those it names, or those that a group has commits on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable, NotAuthorized
from kafkaconsole.kafka.port import OffsetReader
from kafkaconsole.kafka.values import GroupId, Problem, ProblemKind, TopicFacts, TopicPartition
from kafkaconsole.resets.change import Change
from kafkaconsole.resets.frameworks import is_internal_to

_NO_PARTITION = Problem(ProblemKind.NOT_FOUND, "UNKNOWN_TOPIC_OR_PARTITION")
_NO_LEADER = Problem(ProblemKind.NO_LEADER, "LEADER_NOT_AVAILABLE", passing=True)


@dataclass(slots=True)
class Scoped:
    """The partitions that a change comes to."""

    topic_ids: dict[TopicPartition, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    problems: dict[TopicPartition, Problem] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    internal: set[str] = field(default_factory=set)
    gone: set[TopicPartition] = field(default_factory=set)
    left_out: set[str] = field(default_factory=set)
    operations: dict[str, frozenset[str]] = field(default_factory=dict)


def whole(problem: Problem, *, right: str, resource: str) -> Exception:
    """The error of a call that failed as a whole."""
    if problem.kind is ProblemKind.NOT_AUTHORIZED:
        return NotAuthorized(right=right, resource=resource)
    error = KafkaUnavailable if problem.passing or problem.kind is ProblemKind.UNAVAILABLE else KafkaRefused
    return error(reason=problem.kafka_error or problem.kind.value, resource=resource)


def all_committed(admin: OffsetReader, group: GroupId, partitions: Collection[TopicPartition]) -> Scoped:
    """What the group has commits on. The internal topics of its Streams application must be named to be reset."""
    kept = [of for of in partitions if not is_internal_to(group, of.topic)]
    scoped = existing(admin, kept, gone=True)
    scoped.left_out = {of.topic for of in partitions} - {of.topic for of in kept}
    return scoped


def existing(admin: OffsetReader, partitions: Collection[TopicPartition], *, gone: bool) -> Scoped:
    """Partitions known by number. What does not exist is `gone` where a commit named it, else missing or refused."""
    scoped = Scoped()
    topics = admin.topics({of.topic for of in partitions}) if partitions else {}
    for of in partitions:
        topic = _topic_or_none(topics[of.topic], of.topic)
        if topic is not None and (of.partition in topic.has_leader or not gone):
            _add(scoped, topic, of)
        elif gone:
            scoped.gone.add(of)
        else:
            scoped.missing.add(of.topic)
    return scoped


def named_topics(admin: OffsetReader, change: Change) -> Scoped:
    scoped = Scoped()
    asked = change.scope.topics if change.scope else ()
    topics = admin.topics({one.topic for one in asked}) if asked else {}
    for one in asked:
        topic = _topic_or_none(topics[one.topic], one.topic)
        if topic is None:
            scoped.missing.add(one.topic)
            continue
        numbers = topic.has_leader if one.partitions is None else one.partitions
        for number in numbers:
            _add(scoped, topic, TopicPartition(one.topic, number))
    return scoped


def _topic_or_none(topic: TopicFacts | Problem, name: str) -> TopicFacts | None:
    if isinstance(topic, TopicFacts):
        return topic
    if topic.kind is ProblemKind.NOT_FOUND:
        return None
    raise whole(topic, right="Describe", resource=f"topic {name}")


def _add(scoped: Scoped, topic: TopicFacts, of: TopicPartition) -> None:
    scoped.topic_ids[of] = topic.topic_id
    scoped.counts[topic.topic] = len(topic.has_leader)
    if topic.operations is not None:
        scoped.operations[topic.topic] = topic.operations
    has_leader = topic.has_leader.get(of.partition)
    if has_leader is None:
        scoped.problems[of] = _NO_PARTITION
    elif not has_leader:
        scoped.problems[of] = _NO_LEADER
    if topic.internal:
        scoped.internal.add(topic.topic)
