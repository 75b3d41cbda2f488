"""Three nodes in trouble: partitions without a leader, coordinators that move, brokers that stall."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from kafka import TopicPartition as ClientPartition
from kafka.protocol.consumer import OffsetCommitRequest

from devtools.kafka import admin as devtools_admin
from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.coordinators import OFFSETS_TOPIC, offsets_partition
from devtools.kafka.waiting import comes_true
from kafkaconsole.kafka.errors import KafkaUnavailable
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.records import open_reader
from kafkaconsole.kafka.values import (
    Committed,
    GroupDescription,
    GroupState,
    Offset,
    OffsetBounds,
    Problem,
    ProblemKind,
    RecordSpan,
    TopicFacts,
    TopicPartition,
    WriteOutcome,
)
from kafkaconsole.kafka.wire import Wire
from tests.kafka.worlds import group_id, settings_for

pytestmark = pytest.mark.kafka


def leader_of(kafka: LocalKafka, topic: str, partition: int) -> int:
    with devtools_admin.opened(kafka.door()) as client:
        (described,) = client.describe_topics([topic])
    return next(int(one["leader_id"]) for one in described["partitions"] if one["partition_index"] == partition)


def move_coordinator(kafka: LocalKafka, group: str) -> None:
    """Let another, living broker coordinate the group."""
    number = offsets_partition(group)
    old = leader_of(kafka, OFFSETS_TOPIC, number)
    replicas = [node for node in (1, 2, 3) if node != old] + [old]
    with devtools_admin.opened(kafka.door()) as client:
        client.alter_partition_reassignments({ClientPartition(OFFSETS_TOPIC, number): replicas})

        def moved() -> bool:
            client.elect_leaders(0, {OFFSETS_TOPIC: [number]})
            return leader_of(kafka, OFFSETS_TOPIC, number) != old

        assert comes_true(moved, limit=20)


def test_partition_without_a_leader_is_a_problem_of_its_own(
    breakable_three: LocalKafka, topic_name: str, group_name: str
) -> None:
    topics.create_topic(breakable_three, topic_name, partitions=3, replicas=1)
    dead = TopicPartition(topic_name, 0)
    broken = leader_of(breakable_three, topic_name, 0)
    living = [
        TopicPartition(topic_name, one) for one in (1, 2) if leader_of(breakable_three, topic_name, one) != broken
    ]
    assert living
    breakable_three.kill_node(broken)
    instant = datetime(2026, 1, 1, tzinfo=UTC)

    def noticed() -> bool:
        with open_admin(settings_for(breakable_three)) as admin:
            facts = admin.topics([topic_name])[topic_name]
        return isinstance(facts, TopicFacts) and not facts.has_leader[0]

    assert comes_true(noticed, limit=30)
    with open_admin(settings_for(breakable_three)) as admin:
        for found in (
            admin.bounds([dead, *living]),
            admin.offsets_at(dict.fromkeys([dead, *living], instant)),
            admin.max_timestamps([dead, *living]),
        ):
            problem = found[dead]
            assert isinstance(problem, Problem) and problem.kind is ProblemKind.NO_LEADER and problem.passing
            assert not any(isinstance(found[one], Problem) for one in living)
        answers = admin.commit(group_id(group_name), {dead: Committed(Offset(3))})
        assert answers[dead].outcome is WriteOutcome.WRITTEN
    with open_reader(settings_for(breakable_three)) as reader, pytest.raises(KafkaUnavailable) as error:
        list(reader.read([RecordSpan(dead, Offset(0), Offset(1))], time_limit=timedelta(seconds=10)))
    assert error.value.facts["reason"] == "no_leader"


def test_moved_coordinator_is_found_again_by_the_same_client(
    breakable_three: LocalKafka, topic_name: str, group_name: str
) -> None:
    topics.create_topic(breakable_three, topic_name)
    of, group = TopicPartition(topic_name, 0), group_id(group_name)
    with open_admin(settings_for(breakable_three)) as admin:
        admin.commit(group, {of: Committed(Offset(5))})
        assert admin.committed([group]) == {group: {of: Committed(Offset(5))}}
        for offset in (6, 7):
            move_coordinator(breakable_three, group_name)
            described = admin.describe_groups([group])[group]
            assert isinstance(described, GroupDescription) and described.state is GroupState.EMPTY
            answer = admin.commit(group, {of: Committed(Offset(offset))})[of]
            assert answer.outcome is WriteOutcome.WRITTEN
            assert admin.committed([group]) == {group: {of: Committed(Offset(offset))}}


def test_write_to_a_stalled_broker_is_unknown_and_is_applied_when_it_wakes(
    breakable_three: LocalKafka, topic_name: str, group_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics.create_topic(breakable_three, topic_name)
    of, group = TopicPartition(topic_name, 0), group_id(group_name)
    settings = replace(settings_for(breakable_three), request_timeout_ms=1_500)
    node = leader_of(breakable_three, OFFSETS_TOPIC, offsets_partition(group_name))
    ask = Wire.ask

    async def stall_and_ask(wire: Wire, asked: int, request: Any) -> Any:
        if isinstance(request, OffsetCommitRequest):
            breakable_three.pause_node(node)
        return await ask(wire, asked, request)

    with open_admin(settings) as admin:
        assert admin.commit(group, {of: Committed(Offset(1))})[of].outcome is WriteOutcome.WRITTEN
        monkeypatch.setattr(Wire, "ask", stall_and_ask)
        answer = admin.commit(group, {of: Committed(Offset(2))})[of]
        monkeypatch.undo()
        breakable_three.resume_node(node)
    assert answer.outcome is WriteOutcome.UNKNOWN
    assert answer.problem is not None and answer.problem.kafka_error == "REQUEST_TIMED_OUT"

    def is_applied() -> bool:
        with open_admin(settings_for(breakable_three)) as admin:
            return admin.committed([group]) == {group: {of: Committed(Offset(2))}}

    assert comes_true(is_applied, limit=20)


def test_stalled_broker_makes_its_own_answers_problems_and_no_others(
    breakable_three: LocalKafka, topic_name: str
) -> None:
    topics.create_topic(breakable_three, topic_name, partitions=3, replicas=1)
    every = [TopicPartition(topic_name, number) for number in range(3)]
    leaders = {one: leader_of(breakable_three, topic_name, one.partition) for one in every}
    stalled = leaders[every[0]]
    servers = tuple(
        server
        for number, server in enumerate(settings_for(breakable_three).bootstrap_servers, start=1)
        if number != stalled
    )
    settings = replace(settings_for(breakable_three), bootstrap_servers=servers, request_timeout_ms=2_000)
    with open_admin(settings) as admin:
        assert not any(isinstance(bounds, Problem) for bounds in admin.bounds(every).values())
        breakable_three.pause_node(stalled)
        found = admin.bounds(every)
    for one, bounds in found.items():
        if leaders[one] == stalled:
            assert isinstance(bounds, Problem) and bounds.passing
        else:
            assert isinstance(bounds, OffsetBounds)
