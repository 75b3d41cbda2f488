"""Offsets asked of the partitions' leaders: log bounds, offsets by time, the highest timestamp."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from kafka.protocol.consumer import IsolationLevel, ListOffsetsRequest

from kafkaconsole.kafka.answers import LEADER_ELSEWHERE, problem_for
from kafkaconsole.kafka.leaders import NOBODY
from kafkaconsole.kafka.times import instant_of
from kafkaconsole.kafka.values import Offset, OffsetBounds, Problem, ProblemKind, TimedOffset, TopicPartition
from kafkaconsole.kafka.wire import TRIES, Wire, batches

PARTITIONS_A_REQUEST = 500
"""The client's cost grows with the square of a request's partitions."""

LATEST = -1
EARLIEST = -2
MAX_TIMESTAMP = -3
VERSION_WITH_MAX_TIMESTAMP = 7

UNKNOWN_PARTITION = Problem(ProblemKind.NOT_FOUND, "UNKNOWN_TOPIC_OR_PARTITION")
NO_LEADER = Problem(ProblemKind.NO_LEADER, "LEADER_NOT_AVAILABLE", passing=True)
NO_ANSWER = Problem(ProblemKind.UNAVAILABLE, "", passing=True, detail="the broker's answer left the partition out")
MOVED_WHILE_READ = Problem(ProblemKind.UNAVAILABLE, "", passing=True, detail="the log changed while it was measured")


@dataclass(frozen=True, slots=True)
class Found:
    """One raw answer; -1 stands for "no such record" until it leaves this module."""

    offset: int
    timestamp: int


async def bounds(
    wire: Wire, of: Collection[TopicPartition], last_stable: bool
) -> dict[TopicPartition, OffsetBounds | Problem]:
    """Start, last stable offset, end, asked in this order so that they cannot cross."""
    leaders, failed = await _leaders(wire, of)
    measured: dict[TopicPartition, OffsetBounds | Problem] = dict(failed)
    steps = [(EARLIEST, IsolationLevel.READ_UNCOMMITTED), (LATEST, IsolationLevel.READ_UNCOMMITTED)]
    if last_stable:
        steps.insert(1, (LATEST, IsolationLevel.READ_COMMITTED))
    found: dict[TopicPartition, list[Found]] = {one: [] for one in leaders}
    for timestamp, isolation in steps:
        answers = await _ask_leaders(wire, dict.fromkeys(found, timestamp), leaders, isolation=isolation)
        for one, answer in answers.items():
            if isinstance(answer, Problem):
                measured[one] = answer  # and is not asked again: a stalled broker costs one time limit, not three
                del found[one]
            else:
                found[one].append(answer)
    measured.update({one: _bounds_of(answers_of_one) for one, answers_of_one in found.items()})
    return {one: measured[one] for one in of}


def _bounds_of(found: list[Found]) -> OffsetBounds | Problem:
    """From [start, end] or [start, last stable, end]."""
    offsets = [one.offset for one in found]
    if min(offsets) < 0:
        return NO_ANSWER
    start, end = offsets[0], offsets[-1]
    if start > end or max(offsets) > end:
        return MOVED_WHILE_READ
    # An open transaction may begin below a log start that DeleteRecords has moved past it.
    stable = Offset(max(offsets[1], start)) if len(offsets) == 3 else None
    return OffsetBounds(Offset(start), Offset(end), stable)


async def timed(
    wire: Wire, queries: Mapping[TopicPartition, int], min_version: int
) -> dict[TopicPartition, TimedOffset | None | Problem]:
    """What leaders answer to timestamps (milliseconds, or MAX_TIMESTAMP): a record's offset and time, or None."""
    leaders, failed = await _leaders(wire, queries)
    asked = {one: queries[one] for one in leaders}
    found = await _ask_leaders(wire, asked, leaders, min_version=min_version)
    answers: dict[TopicPartition, TimedOffset | None | Problem] = dict(failed)
    answers.update({one: _timed_of(answer) for one, answer in found.items()})
    return {one: answers[one] for one in queries}


def _timed_of(answer: Found | Problem) -> TimedOffset | None | Problem:
    if isinstance(answer, Problem):
        return answer
    if answer.offset < 0:
        return None
    at = instant_of(answer.timestamp)
    if at is None:
        detail = f"the record at offset {answer.offset} has timestamp {answer.timestamp}, which is no date"
        return Problem(ProblemKind.REFUSED, "", detail=detail)
    return TimedOffset(Offset(answer.offset), at)


async def _leaders(
    wire: Wire, of: Collection[TopicPartition]
) -> tuple[dict[TopicPartition, int], dict[TopicPartition, Problem]]:
    """Each partition's leader, and what is wrong with those that have none to ask."""
    known: dict[TopicPartition, int] = {}
    failed: dict[TopicPartition, Problem] = {}
    led = await _led_by_topic(wire, of)
    for one in of:
        leaders = led.get(one.topic, UNKNOWN_PARTITION)
        if isinstance(leaders, Problem):
            failed[one] = leaders
            continue
        leader = leaders.get(one.partition)
        if leader is None:
            failed[one] = UNKNOWN_PARTITION
        elif leader == NOBODY:
            failed[one] = NO_LEADER
        else:
            known[one] = leader
    return known, failed


async def _led_by_topic(wire: Wire, of: Collection[TopicPartition]) -> dict[str, Mapping[int, int] | Problem]:
    """Each topic's {partition: node}; asked for where it is not remembered, or does not have all that is asked."""
    asked: dict[str, list[int]] = defaultdict(list)
    for one in of:
        asked[one.topic].append(one.partition)
    led: dict[str, Mapping[int, int] | Problem] = {}
    for name, numbers in asked.items():
        remembered = wire.leaders.of(name)
        if remembered is not None and remembered.keys() >= set(numbers):
            led[name] = remembered
    if unknown := sorted(asked.keys() - led.keys()):
        led |= {topic.name: _led(topic) for topic in (await wire.metadata(unknown)).topics}
    return led


def _led(topic: Any) -> Mapping[int, int] | Problem:
    """{partition: node} of one topic of a metadata answer."""
    return problem_for(topic.error_code) or {one.partition_index: one.leader_id for one in topic.partitions}


async def _ask_leaders(
    wire: Wire,
    queries: Mapping[TopicPartition, int],
    leaders: Mapping[TopicPartition, int],
    *,
    isolation: IsolationLevel = IsolationLevel.READ_UNCOMMITTED,
    min_version: int = 2,
) -> dict[TopicPartition, Found | Problem]:
    """Raw answers, asked for again with fresh metadata where a leader has just changed."""
    found: dict[TopicPartition, Found | Problem] = {}
    pending, leaders = list(queries), dict(leaders)
    for tries_left in reversed(range(TRIES)):
        by_node: dict[int, list[TopicPartition]] = defaultdict(list)
        for one in pending:
            by_node[leaders[one]].append(one)

        def request_for(some: list[TopicPartition]) -> Any:
            return _request({one: queries[one] for one in some}, isolation, min_version)

        jobs = {node: list(batches(sorted(some), PARTITIONS_A_REQUEST)) for node, some in by_node.items()}
        for batch, answer in await wire.ask_each(jobs, request_for):
            if isinstance(answer, Problem):
                wire.leaders.forget({one.topic for one in batch})
                found.update(dict.fromkeys(batch, answer))
            else:
                found.update(_answers_in(answer, batch))
        pending = [one for one in pending if _elsewhere(found[one])]
        if not pending or not tries_left:
            break
        wire.leaders.forget({one.topic for one in pending})
        await wire.pause()
        leaders, failed = await _leaders(wire, pending)
        found.update(failed)
        pending = list(leaders)
    return found


def _elsewhere(answer: Found | Problem) -> bool:
    return isinstance(answer, Problem) and answer.kafka_error in LEADER_ELSEWHERE


def _request(queries: Mapping[TopicPartition, int], isolation: IsolationLevel, min_version: int) -> Any:
    by_topic: dict[str, list[Any]] = defaultdict(list)
    partition_of = ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition
    for one, timestamp in queries.items():
        by_topic[one.topic].append(partition_of(partition_index=one.partition, timestamp=timestamp))
    topics = [ListOffsetsRequest.ListOffsetsTopic(name=name, partitions=some) for name, some in by_topic.items()]
    return ListOffsetsRequest(replica_id=-1, isolation_level=isolation, topics=topics, min_version=min_version)


def _answers_in(answer: Any, asked: list[TopicPartition]) -> dict[TopicPartition, Found | Problem]:
    found: dict[TopicPartition, Found | Problem] = dict.fromkeys(asked, NO_ANSWER)
    for topic in answer.topics:
        for partition in topic.partitions:
            problem = problem_for(partition.error_code)
            one = TopicPartition(topic.name, partition.partition_index)
            found[one] = problem or Found(partition.offset, partition.timestamp)
    return found
