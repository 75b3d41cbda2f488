"""Kafka's own tools answer, and their table is read as it is meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.errors import ToolFailed
from devtools.kafka.members import GroupMember
from devtools.kafka.tools import Tool, Tools, parsed_offsets

PRINTED = """
Consumer group 'one' has no active members.

GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     HOST            CLIENT-ID
one             orders          0          9007199254740993 9007199254740999 6             -               -               -
one             orders          1          -               12              -               -               -               -

GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     HOST            CLIENT-ID
two             payments        7          0               0               0               member-1        /127.0.0.1      member
"""  # noqa: E501 - as the tool prints it


def test_committed_offsets_are_read_by_group_topic_and_partition() -> None:
    assert parsed_offsets(PRINTED) == {"one": {("orders", 0): 9007199254740993}, "two": {("payments", 7): 0}}


def test_text_without_a_table_holds_no_offsets() -> None:
    assert parsed_offsets("Consumer group 'one' has no active members.\n\n") == {}


def test_offsets_are_described_for_a_live_and_for_a_stopped_group(
    kafka_one: LocalKafka, kafka_one_tools: Tools, topic_name: str, group_name: str
) -> None:
    topics.create_topic(kafka_one, topic_name, partitions=2)
    topics.produce_values(kafka_one, topic_name, "m1", "m2", "m3", partition=1)
    with GroupMember(kafka_one, group_name, topics=[topic_name]) as member:
        member.read(2)
        assert kafka_one_tools.described_offsets(group_name) == {(topic_name, 1): 2}
    assert kafka_one_tools.described_offsets(group_name) == {(topic_name, 1): 2}


def test_many_groups_are_described_in_one_run(
    kafka_one: LocalKafka, kafka_one_tools: Tools, topic_name: str, unique_name: Callable[[str], str]
) -> None:
    topics.create_topic(kafka_one, topic_name)
    topics.produce_values(kafka_one, topic_name, "m1", "m2", "m3")
    groups = [unique_name("group") for _ in range(3)]
    for place, group in enumerate(groups, start=1):
        with GroupMember(kafka_one, group, topics=[topic_name]) as member:
            member.read(place)
    assert kafka_one_tools.described(groups) == {
        group: {(topic_name, 0): place} for place, group in enumerate(groups, start=1)
    }


def test_an_unknown_group_is_a_failure_though_the_tool_exits_with_zero(kafka_one_tools: Tools, group_name: str) -> None:
    with pytest.raises(ToolFailed, match=f"Group {group_name} not found"):
        kafka_one_tools.described_offsets(group_name)


def test_the_topic_tool_sees_what_was_made(kafka_one: LocalKafka, kafka_one_tools: Tools, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name, partitions=4, configs={"retention.ms": "60000"})
    described = kafka_one_tools.run(Tool.TOPICS, "--describe", "--topic", topic_name)
    assert described.exit_code == 0
    assert "PartitionCount: 4" in described.stdout
    configured = kafka_one_tools.run(Tool.CONFIGS, "--describe", "--entity-type", "topics", "--entity-name", topic_name)
    assert "retention.ms=60000" in configured.stdout


def test_a_wrong_option_gives_an_exit_code_and_no_exception(kafka_one_tools: Tools) -> None:
    answer = kafka_one_tools.run(Tool.TOPICS, "--no-such-option")
    assert answer.exit_code != 0
    assert "no-such-option" in answer.stdout + answer.stderr


def test_the_groups_tool_tells_the_type_of_a_group(
    kafka_one: LocalKafka, kafka_one_tools: Tools, topic_name: str, group_name: str
) -> None:
    topics.create_topic(kafka_one, topic_name)
    with GroupMember(kafka_one, group_name, topics=[topic_name], group_protocol="consumer"):
        listed = kafka_one_tools.run(Tool.GROUPS, "--list").stdout
    (line,) = [line for line in listed.splitlines() if line.startswith(group_name)]
    assert line.split() == [group_name, "Consumer", "consumer"]
