"""Groups of the kinds that the console must tell apart and never write, on a real broker."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.members import GroupMember, Protocol
from devtools.kafka.waiting import comes_true
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.values import (
    Committed,
    GroupDescription,
    GroupState,
    GroupType,
    Offset,
    ProblemKind,
    TopicPartition,
    WriteOutcome,
)
from tests.kafka.raw_members import connect_worker, share_member, streams_member
from tests.kafka.worlds import group_id, settings_for

pytestmark = pytest.mark.kafka

Joined = Callable[[LocalKafka, str, str], AbstractContextManager[None]]


def connect_member(kafka: LocalKafka, group: str, topic: str) -> AbstractContextManager[None]:
    return connect_worker(kafka, group)


def describe(kafka: LocalKafka, name: str) -> GroupDescription:
    with open_admin(settings_for(kafka)) as admin:
        found = admin.describe_groups([group_id(name)])[group_id(name)]
    assert isinstance(found, GroupDescription)
    return found


KINDS = [
    pytest.param(share_member, GroupType.SHARE, "share", id="share"),
    pytest.param(streams_member, GroupType.STREAMS, "streams", id="streams"),
    pytest.param(connect_member, GroupType.CONNECT, "connect", id="connect"),
]


@pytest.mark.parametrize(("joined", "kind", "protocol"), KINDS)
def test_foreign_group_is_listed_and_described_by_its_kind(
    kafka_one: LocalKafka, topic_name: str, group_name: str, joined: Joined, kind: GroupType, protocol: str
) -> None:
    topics.create_topic(kafka_one, topic_name, partitions=2)
    with joined(kafka_one, group_name, topic_name):
        found = describe(kafka_one, group_name)
        with open_admin(settings_for(kafka_one)) as admin:
            listed = {row.group: row for row in admin.list_groups().groups}[group_id(group_name)]
            offsets = admin.committed([group_id(group_name)])
    assert (found.type, found.state, found.protocol_type) == (kind, GroupState.STABLE, protocol)
    assert (listed.type, listed.state, listed.protocol_type) == (kind, GroupState.STABLE, protocol)
    (member,) = found.members
    assert member.client_id == "kafka-console"
    held = set() if kind is GroupType.CONNECT else {TopicPartition(topic_name, 0), TopicPartition(topic_name, 1)}
    assert set(member.partitions) == held
    assert offsets == {group_name: {}}


@pytest.mark.parametrize(("joined", "kind", "protocol"), KINDS)
def test_foreign_group_is_never_written_not_even_empty(
    kafka_one: LocalKafka, topic_name: str, group_name: str, joined: Joined, kind: GroupType, protocol: str
) -> None:
    topics.create_topic(kafka_one, topic_name)
    of, group = TopicPartition(topic_name, 0), group_id(group_name)
    with joined(kafka_one, group_name, topic_name):
        pass
    assert comes_true(lambda: describe(kafka_one, group_name).state is GroupState.EMPTY, limit=20)
    with open_admin(settings_for(kafka_one)) as admin:
        for answers in (admin.commit(group, {of: Committed(Offset(0))}), admin.delete_offsets(group, [of])):
            problem = answers[of].problem
            assert answers[of].outcome is WriteOutcome.NOT_WRITTEN
            assert problem is not None and problem.kind is ProblemKind.WRONG_KIND
        assert admin.committed([group]) == {group: {}}


def test_connect_group_spoils_no_other_answer(kafka_one: LocalKafka, topic_name: str, group_name: str) -> None:
    topics.create_topic(kafka_one, topic_name)
    workers = f"{group_name}-connect"
    with (
        connect_worker(kafka_one, workers),
        GroupMember(kafka_one, group_name, topics=[topic_name]),
        open_admin(settings_for(kafka_one)) as admin,
    ):
        found = admin.describe_groups([group_id(workers), group_id(group_name)])
    consumer = found[group_id(group_name)]
    assert isinstance(consumer, GroupDescription)
    assert [member.partitions for member in consumer.members] == [(TopicPartition(topic_name, 0),)]


def test_running_consumer_with_manual_assignment_looks_empty(
    kafka_one: LocalKafka, topic_name: str, group_name: str
) -> None:
    topics.create_topic(kafka_one, topic_name)
    topics.produce_values(kafka_one, topic_name, "m1", "m2")
    of = TopicPartition(topic_name, 0)
    with GroupMember(kafka_one, group_name, assignment={(topic_name, 0)}) as member:
        member.read(2)
        found = describe(kafka_one, group_name)
        with open_admin(settings_for(kafka_one)) as admin:
            offsets = admin.committed_of(group_id(group_name), [of])[of]
    assert (found.type, found.state, found.members) == (GroupType.CLASSIC, GroupState.EMPTY, ())
    assert isinstance(offsets, Committed) and offsets.offset == 2


def test_closed_static_member_stays_until_its_session_ends(
    kafka_one: LocalKafka, topic_name: str, group_name: str
) -> None:
    topics.create_topic(kafka_one, topic_name)
    with GroupMember(kafka_one, group_name, topics=[topic_name], instance_id="till-1"):
        pass
    found = describe(kafka_one, group_name)
    assert found.state is not GroupState.EMPTY
    assert [member.instance_id for member in found.members] == ["till-1"]


@pytest.mark.parametrize(
    ("protocol", "states"),
    [
        ("classic", {GroupState.PREPARING_REBALANCE}),
        ("consumer", {GroupState.RECONCILING, GroupState.ASSIGNING}),
    ],
)
def test_rebalancing_group_is_neither_empty_nor_unknown(
    kafka_one: LocalKafka, topic_name: str, group_name: str, protocol: Protocol, states: set[GroupState]
) -> None:
    topics.create_topic(kafka_one, topic_name, partitions=2)
    of, group = TopicPartition(topic_name, 0), group_id(group_name)
    first = GroupMember(kafka_one, group_name, topics=[topic_name], group_protocol=protocol)
    second = GroupMember(kafka_one, group_name, topics=[topic_name], group_protocol=protocol, needs_partitions=False)
    with first, ThreadPoolExecutor(1) as beside:
        first.pause()
        joining = beside.submit(second.start)  # waits for the paused member's session to end
        seen: set[GroupState] = set()

        def rebalances() -> bool:
            seen.add(describe(kafka_one, group_name).state)
            return bool(seen & states)

        assert comes_true(rebalances, limit=10), seen
        with open_admin(settings_for(kafka_one)) as admin:
            problem = admin.commit(group, {of: Committed(Offset(0))})[of].problem
        assert problem is not None and problem.kind is ProblemKind.ACTIVE_MEMBERS
        joining.result()
        second.close()
