"""What a plan says of rights that the console lacks, on a broker with ACLs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from devtools.kafka import topics
from devtools.kafka.acls import Right, allow, withdraw
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.logins import CONSOLE, OUTSIDER, Login
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.values import Committed, GroupId, Offset, TopicPartition
from kafkaconsole.resets.change import Change, parse_change
from kafkaconsole.resets.gathering import gather
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.planning import compute
from kafkaconsole.resets.strategies.delete_offsets import DeleteOffsets
from tests.kafka.worlds import settings_for

pytestmark = pytest.mark.kafka


@pytest.fixture
def change(kafka_secure: LocalKafka, topic_name: str, group_name: str) -> Iterator[Change]:
    """A group with a commit, and an outsider who may look at it and no more."""
    topics.create_topic(kafka_secure, topic_name)
    topics.produce(kafka_secure, topic_name, [topics.Record(b"m")])
    with open_admin(settings_for(kafka_secure)) as admin:
        admin.commit(GroupId(group_name), {TopicPartition(topic_name, 0): Committed(Offset(1))})
    rights = (Right("DESCRIBE", "group", group_name), Right("DESCRIBE", "topic", topic_name))
    allow(kafka_secure.door(), OUTSIDER.principal, *rights)
    yield parse_change(
        {
            "cluster": "demo",
            "group": group_name,
            "scope": {"topics": [{"topic": topic_name}]},
            "strategy": {"kind": "to_earliest"},
        }
    )
    withdraw(kafka_secure.door(), OUTSIDER.principal, *rights)
    with open_admin(settings_for(kafka_secure)) as admin:
        admin.delete_offsets(GroupId(group_name), [TopicPartition(topic_name, 0)])  # and with them the group


def told(kafka: LocalKafka, login: Login, change: Change) -> dict[str, str]:
    """The plan's warnings, as this login comes to them."""
    with open_admin(settings_for(kafka, login)) as admin:
        plan = compute(change, gather(admin, change, now=datetime.now(UTC), times=None), datetime.now(UTC))
    assert [line.target for line in plan.lines] in ([0], [None])
    return {one.code: sentence(one.code, one.facts) for one in plan.warnings}


def test_rights_to_write_that_are_missing_are_told_before_anybody_signs(
    kafka_secure: LocalKafka, change: Change, topic_name: str
) -> None:
    lacking = f"READ on group {change.group}, READ on topic {topic_name}"
    assert lacking in told(kafka_secure, OUTSIDER, change)["cannot_write"]
    deleting = replace(change, strategy=DeleteOffsets())
    assert f"DELETE on group {change.group}, READ on" in told(kafka_secure, OUTSIDER, deleting)["cannot_write"]
    for one in (change, deleting):
        assert "cannot_write" not in told(kafka_secure, CONSOLE, one)
