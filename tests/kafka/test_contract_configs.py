"""Settings of topics and brokers, on the fake and on a real broker."""

from __future__ import annotations

from datetime import timedelta

from kafkaconsole.kafka.values import (
    GroupDescription,
    GroupState,
    GroupType,
    Problem,
    ProblemKind,
    SessionTimeout,
    TopicConfig,
)
from tests.kafka.worlds import World, group_id


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


def test_a_groups_session_time_out_is_told_exactly_where_it_is_the_groups_and_else_as_the_longest(
    world: World, group_name: str
) -> None:
    def told(kind: GroupType) -> SessionTimeout | Problem:
        with world.admin() as admin:
            return admin.session_timeout(GroupDescription(group_id(group_name), kind, GroupState.STABLE, "consumer"))

    newer, classic = told(GroupType.CONSUMER), told(GroupType.CLASSIC)
    assert isinstance(newer, SessionTimeout) and newer.is_exact and newer.length > timedelta(seconds=1)
    assert classic == SessionTimeout(timedelta(minutes=30), is_exact=False)
