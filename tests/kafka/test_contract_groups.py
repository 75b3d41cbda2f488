"""What the port says about groups, on the fake and on a real broker."""

from __future__ import annotations

import pytest

from kafkaconsole.kafka.values import GroupDescription, GroupState, GroupType, Problem, ProblemKind, TopicPartition
from tests.kafka.worlds import Kind, World, group_id


def described(world: World, name: str) -> GroupDescription:
    with world.admin() as admin:
        found = admin.describe_groups([group_id(name)])[group_id(name)]
    assert isinstance(found, GroupDescription)
    return found


def test_missing_group_is_described_as_missing(world: World, group_name: str) -> None:
    assert described(world, group_name).state is GroupState.MISSING
    with world.admin() as admin:
        assert admin.committed([group_id(group_name)]) == {group_name: {}}
        assert group_name not in {row.group for row in admin.list_groups().groups}


def test_group_made_by_a_commit_alone_is_an_empty_classic_group(world: World, topic_name: str, group_name: str) -> None:
    world.add_topic(topic_name)
    world.commit_by_hand(group_name, {TopicPartition(topic_name, 0): 0})
    found = described(world, group_name)
    assert (found.type, found.state, found.protocol_type) == (GroupType.CLASSIC, GroupState.EMPTY, "")
    assert found.members == ()


@pytest.mark.parametrize("kind", ["classic", "consumer"])
def test_members_are_described_with_what_they_hold(world: World, topic_name: str, group_name: str, kind: Kind) -> None:
    world.add_topic(topic_name, partitions=2)
    with world.member(group_name, topic_name, kind, instance_id="till-1"):
        found = described(world, group_name)
        with world.admin() as admin:
            listed = {row.group: row for row in admin.list_groups().groups}[group_id(group_name)]
    assert (found.type, found.state, found.protocol_type) == (GroupType(kind), GroupState.STABLE, "consumer")
    assert (listed.type, listed.state, listed.protocol_type) == (GroupType(kind), GroupState.STABLE, "consumer")
    (member,) = found.members
    assert (member.client_id, member.instance_id) == ("member", "till-1")
    assert "/" not in member.host and member.host
    assert set(member.partitions) == {TopicPartition(topic_name, 0), TopicPartition(topic_name, 1)}
    assert found.assignor


@pytest.mark.parametrize("kind", ["classic", "consumer"])
def test_group_is_empty_and_keeps_its_kind_after_its_members_left(
    world: World, topic_name: str, group_name: str, kind: Kind
) -> None:
    world.add_topic(topic_name)
    with world.member(group_name, topic_name, kind):
        pass
    found = described(world, group_name)
    assert (found.type, found.state, found.members) == (GroupType(kind), GroupState.EMPTY, ())


def test_many_groups_are_described_in_one_call_each_with_its_own_answer(
    world: World, topic_name: str, group_name: str
) -> None:
    world.add_topic(topic_name)
    modern, by_hand, missing = f"{group_name}-a", f"{group_name}-b", f"{group_name}-c"
    world.commit_by_hand(by_hand, {TopicPartition(topic_name, 0): 0})
    with world.member(group_name, topic_name), world.member(modern, topic_name, "consumer"), world.admin() as admin:
        names = [group_id(name) for name in (missing, by_hand, modern, group_name)]
        found = admin.describe_groups(names)
    states = {}
    for name, one in found.items():
        assert not isinstance(one, Problem)
        states[name] = one.state
    assert list(states) == names
    assert states == {
        missing: GroupState.MISSING,
        by_hand: GroupState.EMPTY,
        modern: GroupState.STABLE,
        group_name: GroupState.STABLE,
    }


def test_cluster_tells_its_id_and_brokers(world: World) -> None:
    with world.admin() as admin:
        facts = admin.describe_cluster()
    assert facts.cluster_id
    assert all(":" in broker for broker in facts.brokers) and facts.brokers


def test_topics_tell_ids_and_leaders_and_what_is_not_there(world: World, topic_name: str) -> None:
    world.add_topic(topic_name, partitions=2)
    with world.admin() as admin:
        found = admin.topics([topic_name, f"{topic_name}-not"])
        everything = admin.topics()
    facts, absent = found[topic_name], found[f"{topic_name}-not"]
    assert not isinstance(facts, Problem) and isinstance(absent, Problem)
    assert len(facts.topic_id) == 22
    assert facts.has_leader == {0: True, 1: True}
    assert (absent.kind, absent.kafka_error) == (ProblemKind.NOT_FOUND, "UNKNOWN_TOPIC_OR_PARTITION")
    assert everything[topic_name] == facts


def test_topic_made_again_has_another_id(world: World, topic_name: str) -> None:
    ids = []
    for _ in range(2):
        world.add_topic(topic_name)
        with world.admin() as admin:
            facts = admin.topics([topic_name])[topic_name]
        assert not isinstance(facts, Problem)
        ids.append(facts.topic_id)
        world.remove_topic(topic_name)
    assert ids[0] != ids[1]


def test_asking_for_nothing_answers_nothing(world: World) -> None:
    with world.admin() as admin:
        assert admin.describe_groups([]) == {}
        assert admin.committed([]) == {}
        assert admin.topics([]) == {}
        assert admin.bounds([]) == {}
        assert admin.offsets_at({}) == {}
        assert admin.commit(group_id("nobody"), {}) == {}
        assert admin.delete_offsets(group_id("nobody"), []) == {}
