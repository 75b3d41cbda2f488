"""Settings of topics and brokers, on the fake and on a real broker."""

from __future__ import annotations

from datetime import timedelta

from kafkaconsole.kafka.values import Problem, ProblemKind, TopicConfig
from tests.kafka.worlds import World


def test_clean_up_and_timestamps_of_topics_are_told(world: World, topic_name: str) -> None:
    both, stamped = f"{topic_name}-both", f"{topic_name}-stamped"
    world.add_topic(topic_name)
    world.add_topic(both, configs={"cleanup.policy": "compact,delete"})
    world.add_topic(stamped, configs={"message.timestamp.type": "LogAppendTime"})
    with world.admin() as admin:
        found = admin.topic_configs([topic_name, both, stamped, f"{topic_name}-not"])
    assert found[topic_name] == TopicConfig(frozenset({"delete"}), "CreateTime")
    assert found[both] == TopicConfig(frozenset({"compact", "delete"}), "CreateTime")
    assert found[stamped] == TopicConfig(frozenset({"delete"}), "LogAppendTime")
    missing = found[f"{topic_name}-not"]
    assert isinstance(missing, Problem) and missing.kind is ProblemKind.NOT_FOUND


def test_how_long_offsets_of_an_unused_group_are_kept_is_told(world: World) -> None:
    with world.admin() as admin:
        kept = admin.offsets_retention()
    assert isinstance(kept, timedelta) and kept >= timedelta(days=7)
