"""Members are real consumers in every way a group can have them."""

from __future__ import annotations

import pytest

from devtools.kafka import admin, topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.errors import MemberFailed
from devtools.kafka.members import GroupMember, Protocol, ReadRecord
from devtools.kafka.tools import Tools
from devtools.kafka.waiting import comes_true


def seen(kafka: LocalKafka, group: str) -> tuple[str, str]:
    """The group's type and state as the broker lists them."""
    with admin.opened(kafka.door()) as client:
        (found,) = [one for one in client.list_groups() if one["group_id"] == group]
    return found["group_type"].lower(), found["group_state"]


@pytest.fixture
def topic(kafka_one: LocalKafka, topic_name: str) -> str:
    topics.create_topic(kafka_one, topic_name, partitions=2)
    topics.produce_values(kafka_one, topic_name, "m1", "m2", "m3")
    return topic_name


@pytest.mark.parametrize(("group_protocol", "group_type"), [("classic", "classic"), ("consumer", "consumer")])
def test_a_member_joins_reads_commits_and_leaves(
    kafka_one: LocalKafka, topic: str, group_name: str, group_protocol: Protocol, group_type: str
) -> None:
    with GroupMember(kafka_one, group_name, topics=[topic], group_protocol=group_protocol) as member:
        assert member.assignment() == {(topic, 0), (topic, 1)}
        assert member.read(2) == [ReadRecord(topic, 0, 0, b"m1", None), ReadRecord(topic, 0, 1, b"m2", None)]
        assert seen(kafka_one, group_name) == (group_type, "Stable")
    assert comes_true(lambda: seen(kafka_one, group_name) == (group_type, "Empty"), limit=20)
    assert Tools(kafka_one).described_offsets(group_name) == {(topic, 0): 2}


@pytest.mark.parametrize("group_protocol", ["classic", "consumer"])
def test_two_members_share_the_partitions(
    kafka_one: LocalKafka, topic: str, group_name: str, group_protocol: Protocol
) -> None:
    with (
        GroupMember(kafka_one, group_name, topics=[topic], group_protocol=group_protocol) as first,
        GroupMember(kafka_one, group_name, topics=[topic], group_protocol=group_protocol) as second,
    ):
        assert comes_true(lambda: len(first.assignment()) == len(second.assignment()) == 1, limit=30)
        assert first.assignment() | second.assignment() == {(topic, 0), (topic, 1)}


def test_a_member_by_hand_keeps_the_group_empty(kafka_one: LocalKafka, topic: str, group_name: str) -> None:
    with GroupMember(kafka_one, group_name, assignment=[(topic, 0)]) as member:
        assert [one.value for one in member.read(3)] == [b"m1", b"m2", b"m3"]
        assert seen(kafka_one, group_name) == ("classic", "Empty")


def test_what_was_read_without_commit_is_read_again(kafka_one: LocalKafka, topic: str, group_name: str) -> None:
    with GroupMember(kafka_one, group_name, topics=[topic]) as member:
        member.read(1)
        assert [one.value for one in member.read(2, commits=False)] == [b"m2", b"m3"]
    with GroupMember(kafka_one, group_name, topics=[topic]) as again:
        assert [one.value for one in again.read(2)] == [b"m2", b"m3"]


def test_a_killed_member_stays_in_the_group_for_its_session(kafka_one: LocalKafka, topic: str, group_name: str) -> None:
    member = GroupMember(kafka_one, group_name, topics=[topic])
    member.start()
    member.kill()
    assert member.pid is None
    assert seen(kafka_one, group_name) == ("classic", "Stable")
    assert comes_true(lambda: seen(kafka_one, group_name)[1] == "Empty", limit=30)


def test_a_static_member_stays_after_a_clean_close(kafka_one: LocalKafka, topic: str, group_name: str) -> None:
    with GroupMember(kafka_one, group_name, topics=[topic], instance_id="till-1") as member:
        member.read(1)
    assert seen(kafka_one, group_name) == ("classic", "Stable")
    assert comes_true(lambda: seen(kafka_one, group_name)[1] == "Empty", limit=30)


def test_a_paused_member_loses_its_partitions(kafka_one: LocalKafka, topic: str, group_name: str) -> None:
    with GroupMember(kafka_one, group_name, topics=[topic]) as sleeper:
        sleeper.pause()
        assert comes_true(lambda: seen(kafka_one, group_name)[1] == "Empty", limit=30)
        sleeper.resume()
        assert sleeper.wait_assigned() == {(topic, 0), (topic, 1)}


def test_too_few_records_are_said_with_the_number(kafka_one: LocalKafka, topic: str, group_name: str) -> None:
    with GroupMember(kafka_one, group_name, topics=[topic]) as member:
        with pytest.raises(MemberFailed, match="has 3 of 4 records"):
            member.read(4, limit=2)
        assert [one.value for one in member.read(3)] == [b"m1", b"m2", b"m3"]


def test_a_member_that_cannot_join_says_why(kafka_one: LocalKafka, topic: str, group_name: str) -> None:
    with pytest.raises(MemberFailed, match="ended.*It wrote:[^$]*KafkaException"):
        GroupMember(kafka_one, group_name, topics=[topic], group_protocol="neither").start()  # type: ignore[arg-type]


def test_a_closed_member_answers_nothing(kafka_one: LocalKafka, topic: str, group_name: str) -> None:
    with GroupMember(kafka_one, group_name, topics=[topic]) as member:
        pass
    with pytest.raises(MemberFailed, match="is not running"):
        member.read(1)


def test_a_member_needs_topics_or_an_assignment(kafka_one: LocalKafka, topic: str) -> None:
    with pytest.raises(ValueError, match="either topics to subscribe to or an assignment"):
        GroupMember(kafka_one, "g")
    with pytest.raises(ValueError, match="either topics to subscribe to or an assignment"):
        GroupMember(kafka_one, "g", topics=[topic], assignment=[(topic, 0)])
