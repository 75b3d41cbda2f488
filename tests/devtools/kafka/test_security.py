"""Secure clusters let in whom they should, and say no to everybody else."""

from __future__ import annotations

import dataclasses

import pytest
from confluent_kafka import KafkaError, KafkaException, Producer

from devtools.kafka import acls, topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.errors import ToolFailed
from devtools.kafka.logins import ADMIN, CERTIFICATE_PRINCIPAL, CONSOLE, OUTSIDER, Door, Login
from devtools.kafka.members import GroupMember
from devtools.kafka.tools import Tool, Tools
from devtools.kafka.waiting import comes_true


def topics_seen(door: Door) -> set[str]:
    return set(Producer(door.confluent()).list_topics(timeout=20).topics)


def problem_of(door: Door) -> KafkaError:
    """The first problem a client reports that cannot get in (its exception only says that time is up)."""
    problems: list[KafkaError] = []
    client = Producer({**door.confluent(), "error_cb": problems.append})
    assert comes_true(lambda: client.poll(0.1) >= 0 and bool(problems), limit=20)
    return problems[0]


@pytest.fixture
def secret_topic(kafka_secure: LocalKafka, topic_name: str) -> str:
    topics.create_topic(kafka_secure, topic_name)
    topics.produce_values(kafka_secure, topic_name, "m1", "m2")
    return topic_name


def test_a_wrong_password_is_refused(kafka_secure: LocalKafka) -> None:
    problem = problem_of(kafka_secure.door(Login(ADMIN.user, "not-the-password")))
    assert problem.code() == KafkaError._AUTHENTICATION
    assert "invalid credentials" in problem.str()


def test_an_unknown_user_is_refused(kafka_secure: LocalKafka) -> None:
    assert problem_of(kafka_secure.door(Login("nobody", "secret"))).code() == KafkaError._AUTHENTICATION


def test_the_outsider_signs_in_and_sees_nothing(kafka_secure: LocalKafka, secret_topic: str) -> None:
    assert secret_topic in topics_seen(kafka_secure.door(ADMIN))
    assert secret_topic not in topics_seen(kafka_secure.door(OUTSIDER))


def test_the_console_reads_and_may_not_write(kafka_secure: LocalKafka, secret_topic: str, group_name: str) -> None:
    with GroupMember(kafka_secure, group_name, topics=[secret_topic], login=CONSOLE) as member:
        assert [one.value for one in member.read(2)] == [b"m1", b"m2"]
    assert Tools(kafka_secure, CONSOLE).described_offsets(group_name) == {(secret_topic, 0): 2}
    with pytest.raises(KafkaException) as refused:
        topics.produce(kafka_secure, secret_topic, [topics.Record(b"m3")], login=CONSOLE)
    assert refused.value.args[0].code() == KafkaError.TOPIC_AUTHORIZATION_FAILED


def test_a_right_is_given_and_withdrawn(kafka_secure: LocalKafka, secret_topic: str) -> None:
    right = acls.Right("DESCRIBE", "topic", secret_topic)
    acls.allow(kafka_secure.door(), OUTSIDER.principal, right)
    assert secret_topic in topics_seen(kafka_secure.door(OUTSIDER))
    acls.withdraw(kafka_secure.door(), OUTSIDER.principal, right)
    assert secret_topic not in topics_seen(kafka_secure.door(OUTSIDER))


def test_the_tool_without_rights_fails_and_says_so(kafka_secure: LocalKafka, group_name: str) -> None:
    with pytest.raises(ToolFailed, match="GroupAuthorizationException"):
        Tools(kafka_secure, OUTSIDER).described_offsets(group_name)
    listed = Tools(kafka_secure).run(Tool.ACLS, "--list", "--principal", CONSOLE.principal)
    assert "operation=DELETE, permissionType=ALLOW" in listed.stdout


@pytest.mark.parametrize("listener", ["SASL_PLAINTEXT", "SASL_SSL", "SSL"])
def test_each_listener_of_a_tls_cluster_lets_its_clients_in(
    kafka_tls: LocalKafka, listener: str, topic_name: str
) -> None:
    topics.create_topic(kafka_tls, topic_name)
    assert topic_name in topics_seen(kafka_tls.door(CONSOLE, listener))


def test_the_main_listener_of_a_tls_cluster_is_sasl_over_tls(kafka_tls: LocalKafka) -> None:
    assert kafka_tls.client_settings()["security.protocol"] == "SASL_SSL"
    assert kafka_tls.client_settings()["bootstrap.servers"] == kafka_tls.bootstrap_servers


def test_tools_members_and_admin_work_over_tls(kafka_tls: LocalKafka, topic_name: str, group_name: str) -> None:
    topics.create_topic(kafka_tls, topic_name)
    topics.produce_values(kafka_tls, topic_name, "m1", "m2")
    with GroupMember(kafka_tls, group_name, topics=[topic_name]) as member:
        member.read(1)
    assert Tools(kafka_tls).described_offsets(group_name) == {(topic_name, 0): 1}
    assert topics.log_bounds(kafka_tls, topic_name) == {0: (0, 2)}


def test_the_certificates_owner_has_the_consoles_rights(kafka_tls: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_tls, topic_name)
    acls.withdraw(kafka_tls.door(), CERTIFICATE_PRINCIPAL, *acls.CONSOLE_RIGHTS)
    assert topic_name not in topics_seen(kafka_tls.door(listener="SSL"))
    acls.allow_console(kafka_tls.door())
    assert topic_name in topics_seen(kafka_tls.door(listener="SSL"))


def test_a_client_that_trusts_somebody_else_is_refused(kafka_tls: LocalKafka) -> None:
    door = kafka_tls.door()
    settings = {**door.confluent(), "ssl.ca.location": str(kafka_tls.folder / "certs" / "stranger.crt")}
    problems: list[KafkaError] = []
    client = Producer({**settings, "error_cb": problems.append})
    assert comes_true(lambda: client.poll(0.1) >= 0 and bool(problems), limit=20)
    # librdkafka calls it a fault of the transport where the thread that writes meets it first
    assert problems[0].code() in (KafkaError._SSL, KafkaError._TRANSPORT)
    assert "certificate verify failed" in problems[0].str()


def test_tls_without_certificates_is_a_bug_that_is_said(kafka_tls: LocalKafka) -> None:
    without = dataclasses.replace(kafka_tls.door(), certificates=None)
    for settings in (without.confluent, without.kafka_python, without.java):
        with pytest.raises(ValueError, match="needs certificates"):
            settings()
