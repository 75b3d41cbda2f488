"""What a missing right looks like through the port, and in the connection test, on a broker with ACLs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from devtools.kafka import topics
from devtools.kafka.acls import Right, allow, withdraw
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.logins import CONSOLE, OUTSIDER
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.probing import RightState, probe
from kafkaconsole.kafka.values import Committed, Offset, Problem, ProblemKind, TopicPartition, WriteOutcome
from tests.kafka.worlds import group_id, settings_for

pytestmark = pytest.mark.kafka

Grant = Callable[..., None]


@pytest.fixture
def grant(kafka_secure: LocalKafka) -> Iterator[Grant]:
    """Gives the outsider rights, for this test."""
    given: list[Right] = []

    def give(*rights: Right) -> None:
        given.extend(rights)
        allow(kafka_secure.door(), OUTSIDER.principal, *rights)

    yield give
    withdraw(kafka_secure.door(), OUTSIDER.principal, *given)


@pytest.fixture
def scene(kafka_secure: LocalKafka, topic_name: str, group_name: str) -> tuple[TopicPartition, TopicPartition]:
    """Two topics on which the group has commits."""
    first, second = TopicPartition(topic_name, 0), TopicPartition(f"{topic_name}-2", 0)
    for one in (first, second):
        topics.create_topic(kafka_secure, one.topic)
    with open_admin(settings_for(kafka_secure)) as admin:
        admin.commit(group_id(group_name), {first: Committed(Offset(1)), second: Committed(Offset(2))})
    return first, second


def test_console_rights_suffice_for_everything(
    kafka_secure: LocalKafka, group_name: str, scene: tuple[TopicPartition, TopicPartition]
) -> None:
    first, second = scene
    group = group_id(group_name)
    with open_admin(settings_for(kafka_secure, CONSOLE)) as admin:
        assert admin.commit(group, {first: Committed(Offset(5))})[first].outcome is WriteOutcome.WRITTEN
        assert admin.delete_offsets(group, [second])[second].outcome is WriteOutcome.WRITTEN
        assert admin.committed([group]) == {group: {first: Committed(Offset(5))}}
        assert not isinstance(admin.bounds([first])[first], Problem)
        assert group in {row.group for row in admin.list_groups().groups}


def test_without_any_right_on_the_group_everything_is_not_authorized(
    kafka_secure: LocalKafka, group_name: str, scene: tuple[TopicPartition, TopicPartition]
) -> None:
    first, _ = scene
    group = group_id(group_name)
    with open_admin(settings_for(kafka_secure, OUTSIDER)) as admin:
        for found in (admin.describe_groups([group])[group], admin.committed([group])[group]):
            assert isinstance(found, Problem)
            assert (found.kind, found.kafka_error) == (ProblemKind.NOT_AUTHORIZED, "GROUP_AUTHORIZATION_FAILED")
        answer = admin.commit(group, {first: Committed(Offset(0))})[first]
        assert answer.outcome is WriteOutcome.NOT_WRITTEN
        assert answer.problem is not None and answer.problem.kind is ProblemKind.NOT_AUTHORIZED
        assert admin.list_groups().groups == ()


def test_hidden_topic_shows_when_its_partition_is_named_and_only_then(
    kafka_secure: LocalKafka, group_name: str, scene: tuple[TopicPartition, TopicPartition], grant: Grant
) -> None:
    first, second = scene
    group = group_id(group_name)
    grant(Right("READ", "group", group_name), Right("DESCRIBE", "topic", first.topic))
    with open_admin(settings_for(kafka_secure, OUTSIDER)) as admin:
        assert admin.committed([group]) == {group: {first: Committed(Offset(1))}}
        named = admin.committed_of(group, [first, second])
        topic = admin.topics([second.topic])[second.topic]
        bounds = admin.bounds([first, second])
    assert named[first] == Committed(Offset(1))
    for found in (named[second], topic, bounds[second]):
        assert isinstance(found, Problem) and found.kafka_error == "TOPIC_AUTHORIZATION_FAILED"
    assert not isinstance(bounds[first], Problem)


def test_topic_without_read_is_not_written_and_the_rest_is(
    kafka_secure: LocalKafka, group_name: str, scene: tuple[TopicPartition, TopicPartition], grant: Grant
) -> None:
    first, second = scene
    group = group_id(group_name)
    grant(
        Right("READ", "group", group_name),
        Right("READ", "topic", first.topic),
        Right("DESCRIBE", "topic", second.topic),
    )
    with open_admin(settings_for(kafka_secure, OUTSIDER)) as admin:
        answers = admin.commit(group, {first: Committed(Offset(7)), second: Committed(Offset(8))})
        left = admin.committed([group])[group]
    assert answers[first].outcome is WriteOutcome.WRITTEN
    assert answers[second].outcome is WriteOutcome.NOT_WRITTEN
    assert left == {first: Committed(Offset(7)), second: Committed(Offset(2))}


def test_group_that_may_be_described_and_not_read_is_not_written(
    kafka_secure: LocalKafka, group_name: str, scene: tuple[TopicPartition, TopicPartition], grant: Grant
) -> None:
    first, _ = scene
    grant(Right("DESCRIBE", "group", group_name), Right("READ", "topic", first.topic))
    with open_admin(settings_for(kafka_secure, OUTSIDER)) as admin:
        answers = admin.commit(group_id(group_name), {first: Committed(Offset(0))})
    problem = answers[first].problem
    assert answers[first].outcome is WriteOutcome.NOT_WRITTEN
    assert problem is not None and problem.kafka_error == "GROUP_AUTHORIZATION_FAILED"


def test_connection_test_finds_the_console_usable(
    kafka_secure: LocalKafka, scene: tuple[TopicPartition, TopicPartition]
) -> None:
    report = probe(settings_for(kafka_secure, CONSOLE))
    assert {right.state for right in report.rights} == {RightState.OK}
    assert report.is_usable and report.cluster_id and report.brokers


def test_connection_test_names_each_missing_right(
    kafka_secure: LocalKafka, group_name: str, scene: tuple[TopicPartition, TopicPartition], grant: Grant
) -> None:
    first, second = scene
    grant(
        Right("DESCRIBE", "group", group_name),
        Right("READ", "topic", first.topic),
        Right("DESCRIBE", "topic", second.topic),
    )
    report = probe(settings_for(kafka_secure, OUTSIDER), topics=[first.topic, second.topic])
    states = {(right.operation, right.resource): right.state for right in report.rights}
    assert states == {
        ("DESCRIBE", "cluster"): RightState.MISSING,
        ("DESCRIBE", "groups"): RightState.OK,
        ("READ", "groups"): RightState.MISSING,
        ("DELETE", "groups"): RightState.MISSING,
        ("DESCRIBE", "topics"): RightState.OK,
        ("READ", "topics"): RightState.MISSING,
    }
    details = {(right.operation, right.resource): right.detail for right in report.rights}
    assert second.topic in details["READ", "topics"] and group_name in details["READ", "groups"]
    assert not report.is_usable
    assert {right.operation for right in report.missing} == {"DESCRIBE", "READ"}


def test_connection_test_of_somebody_without_rights_finds_all_of_them_missing(
    kafka_secure: LocalKafka, scene: tuple[TopicPartition, TopicPartition]
) -> None:
    first, _ = scene
    report = probe(settings_for(kafka_secure, OUTSIDER), topics=[first.topic])
    missing = {(right.operation, right.resource) for right in report.missing}
    assert missing == {("DESCRIBE", "cluster"), ("DESCRIBE", "topics"), ("READ", "topics")}
    on_groups = [right for right in report.rights if right.resource == "groups"]
    assert {right.state for right in on_groups} == {RightState.UNKNOWN}
    assert "kafka-console-connection-test was asked about and refused" in on_groups[0].detail


def test_connection_test_does_not_call_rights_missing_that_a_prefix_may_give(
    kafka_secure: LocalKafka, group_name: str, grant: Grant
) -> None:
    prefix = Right("READ", "group", f"{group_name}-", is_prefix=True)
    grant(Right("READ", "topic"), prefix)
    before = _states_of_groups(kafka_secure)
    with open_admin(settings_for(kafka_secure)) as admin:
        topics.create_topic(kafka_secure, group_name)
        admin.commit(group_id(f"{group_name}-1"), {TopicPartition(group_name, 0): Committed(Offset(0))})
    assert before == {"DESCRIBE": RightState.UNKNOWN, "READ": RightState.UNKNOWN, "DELETE": RightState.UNKNOWN}
    assert _states_of_groups(kafka_secure) == {
        "DESCRIBE": RightState.OK,
        "READ": RightState.OK,
        "DELETE": RightState.MISSING,
    }


def test_connection_test_says_where_a_right_is_there_on_some_names_alone(
    kafka_secure: LocalKafka, group_name: str, scene: tuple[TopicPartition, TopicPartition], grant: Grant
) -> None:
    first, second = scene
    grant(
        Right("DESCRIBE", "cluster"),
        Right("READ", "group", group_name, is_prefix=True),
        Right("READ", "topic", first.topic),
        Right("DESCRIBE", "topic", second.topic),
    )
    with open_admin(settings_for(kafka_secure)) as admin:
        admin.commit(group_id(f"another-{group_name}"), {first: Committed(Offset(1))})
    report = probe(settings_for(kafka_secure, OUTSIDER))
    rights = {(right.operation, right.resource): right for right in report.rights}
    assert rights["READ", "groups"].state is RightState.LIMITED
    assert f"another-{group_name}" in rights["READ", "groups"].detail
    assert rights["READ", "topics"].state is RightState.LIMITED
    assert report.is_usable


def _states_of_groups(kafka: LocalKafka) -> dict[str, RightState]:
    report = probe(settings_for(kafka, OUTSIDER))
    return {right.operation: right.state for right in report.rights if right.resource == "groups"}


def test_connection_test_writes_nothing(
    kafka_secure: LocalKafka, group_name: str, scene: tuple[TopicPartition, TopicPartition]
) -> None:
    group = group_id(group_name)
    with open_admin(settings_for(kafka_secure)) as admin:
        before = (admin.list_groups().groups, admin.committed([group]))
        probe(settings_for(kafka_secure, CONSOLE))
        assert (admin.list_groups().groups, admin.committed([group])) == before
