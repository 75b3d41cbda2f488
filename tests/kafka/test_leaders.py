"""Leaders are remembered for a moment within one client: no question too many, and no answer of yesterday."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from kafka import TopicPartition as ClientPartition

from devtools.kafka import admin as devtools_admin
from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.waiting import comes_true
from kafkaconsole.kafka import wire
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.leaders import KNOWN_FOR_SECONDS, NOBODY, Leaders
from kafkaconsole.kafka.values import Offset, OffsetBounds, Problem, ProblemKind, TopicFacts, TopicPartition
from tests.kafka.worlds import settings_for

ONE_RECORD = OffsetBounds(Offset(0), Offset(1), Offset(1))


def answer(topic: str, *nodes: int, error_code: int = 0) -> Any:
    """A metadata answer about one topic, with the leader of each partition."""
    partitions = [SimpleNamespace(partition_index=number, leader_id=node) for number, node in enumerate(nodes)]
    return SimpleNamespace(topics=[SimpleNamespace(name=topic, error_code=error_code, partitions=partitions)])


class Clock:
    """A clock that stands still until it is moved."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The topics of every metadata request from here on."""
    seen: list[object] = []
    ask: Callable[..., Any] = wire.Wire.metadata

    async def metadata(self: wire.Wire, names: Any, *more: Any, **options: Any) -> Any:
        seen.append(names)
        return await ask(self, names, *more, **options)

    monkeypatch.setattr(wire.Wire, "metadata", metadata)
    return seen


def test_leaders_are_known_for_a_moment_and_no_longer() -> None:
    clock = Clock()
    known = Leaders(clock)
    assert known.of("t") is None
    known.learn(answer("t", 1, 2))
    clock.now += KNOWN_FOR_SECONDS
    assert known.of("t") == {0: 1, 1: 2}
    clock.now += 0.001
    assert known.of("t") is None


def test_a_later_answer_takes_the_place_of_an_earlier_one() -> None:
    clock = Clock()
    known = Leaders(clock)
    known.learn(answer("t", 1))
    clock.now += KNOWN_FOR_SECONDS
    known.learn(answer("t", 2))
    clock.now += KNOWN_FOR_SECONDS
    assert known.of("t") == {0: 2}


@pytest.mark.parametrize("bad", [answer("t", 1, NOBODY), answer("t", error_code=3)], ids=["leaderless", "unknown"])
def test_a_topic_that_is_not_wholly_led_is_asked_for_each_time(bad: Any) -> None:
    known = Leaders()
    known.learn(answer("t", 1, 1))
    known.learn(bad)
    assert known.of("t") is None


def test_what_is_forgotten_is_asked_for_again() -> None:
    known = Leaders()
    known.learn(answer("t", 1))
    known.learn(answer("u", 1))
    known.forget(["t", "never seen"])
    assert (known.of("t"), known.of("u")) == (None, {0: 1})


@pytest.mark.kafka
def test_one_plan_asks_once_who_leads(kafka_one: LocalKafka, topic_name: str, asked: list[object]) -> None:
    topics.create_topic(kafka_one, topic_name, partitions=2)
    of = [TopicPartition(topic_name, number) for number in range(2)]
    with open_admin(settings_for(kafka_one)) as admin:
        assert isinstance(admin.topics([topic_name])[topic_name], TopicFacts)
        admin.bounds(of)
        admin.max_timestamps(of)
    assert asked == [[topic_name]]


@pytest.mark.kafka
def test_a_partition_that_was_just_added_is_found_by_the_same_client(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name)
    with open_admin(settings_for(kafka_one)) as admin:
        admin.bounds([TopicPartition(topic_name, 0)])
        topics.grow_topic(kafka_one, topic_name, partitions=2)
        topics.produce_values(kafka_one, topic_name, "m", partition=1)
        assert admin.bounds([TopicPartition(topic_name, 1)]) == {TopicPartition(topic_name, 1): ONE_RECORD}


@pytest.mark.kafka
def test_a_topic_that_was_just_deleted_is_not_found(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name)
    of = TopicPartition(topic_name, 0)
    with open_admin(settings_for(kafka_one)) as admin:
        assert isinstance(admin.bounds([of])[of], OffsetBounds)
        topics.delete_topic(kafka_one, topic_name)
        found = admin.bounds([of])[of]
    assert isinstance(found, Problem)
    assert found.kind is ProblemKind.NOT_FOUND


@pytest.mark.kafka
def test_a_leader_that_has_just_moved_is_found_by_the_same_client(
    kafka_three: LocalKafka, topic_name: str, asked: list[object]
) -> None:
    topics.create_topic(kafka_three, topic_name)
    topics.produce_values(kafka_three, topic_name, "m")
    of = TopicPartition(topic_name, 0)
    with open_admin(settings_for(kafka_three)) as admin:
        assert admin.bounds([of]) == {of: ONE_RECORD}
        _move_leader(kafka_three, of)
        asked.clear()
        assert admin.bounds([of]) == {of: ONE_RECORD}
    assert [topic_name] in asked


def _move_leader(kafka: LocalKafka, of: TopicPartition) -> None:
    """Let another replica lead the partition."""
    with devtools_admin.opened(kafka.door()) as client:

        def leader() -> int:
            (described,) = client.describe_topics([of.topic])
            return int(described["partitions"][of.partition]["leader_id"])

        old = leader()
        replicas = [node for node in (1, 2, 3) if node != old] + [old]
        client.alter_partition_reassignments({ClientPartition(of.topic, of.partition): replicas})

        def moved() -> bool:
            client.elect_leaders(0, {of.topic: [of.partition]})
            return leader() != old

        assert comes_true(moved, limit=20)
