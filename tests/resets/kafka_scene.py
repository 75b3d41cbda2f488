"""The workflow's scene on a real Kafka: a topic of its own, a group of Billing with commits, a registered cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from kafkaconsole.clusters import connections
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.kafka.values import Committed, GroupId, Offset, OffsetBounds, Problem, TopicPartition, WriteOutcome
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import ResetRequest
from tests import factories
from tests.factories import Cast


@dataclass(frozen=True)
class KafkaScene:
    """A cluster, and a group that has read its topic to the end."""

    cast: Cast
    cluster: Cluster
    kafka: LocalKafka
    topic: str
    group: str

    def committed(self) -> dict[int, int]:
        """What the group has committed on the topic, read with a client of its own."""
        with connections.offset_admin(self.cluster.pk) as admin:
            held = admin.committed([GroupId(self.group)])[GroupId(self.group)]
        assert not isinstance(held, Problem)
        return {of.partition: value.offset for of, value in held.items() if isinstance(value, Committed)}

    def commit(self, offset: int, partitions: int) -> None:
        """The group's own commit, as a consumer left it."""
        targets = {TopicPartition(self.topic, number): Committed(Offset(offset)) for number in range(partitions)}
        with connections.offset_admin(self.cluster.pk) as admin:
            answers = admin.commit(GroupId(self.group), targets)
        assert {answer.outcome.value for answer in answers.values()} == {"written"}

    def ask(self, strategy: dict[str, object] | None = None) -> ResetRequest:
        """Alice asks for the whole topic."""
        change = {
            "cluster": self.cluster.name,
            "group": self.group,
            "scope": {"topics": [{"topic": self.topic}]},
            "strategy": strategy or {"kind": "to_earliest"},
        }
        return factories.ask(self.cast.alice, change=change)

    def plan(self, request: ResetRequest) -> ResetRequest:
        """As a worker does."""
        connect, records = connections.offset_admin, connections.record_reader
        actions.make_plan(request_id=request.pk, connect=connect, connect_records=records)
        request.refresh_from_db()
        return request

    def execute(self, request: ResetRequest) -> ResetRequest:
        """As a worker does."""
        actions.execute(request_id=request.pk, connect=connections.offset_admin)
        request.refresh_from_db()
        return request

    def approved(self, strategy: dict[str, object] | None = None) -> ResetRequest:
        """Asked for, planned and signed by Bob."""
        return factories.approve(self.plan(self.ask(strategy)), self.cast.bob)


@pytest.fixture
def kafka_scene(
    kafka_one: LocalKafka, cast: Cast, topic_name: str, unique_name: Callable[[str], str]
) -> Callable[[int], KafkaScene]:
    """Makes the scene with so many partitions, three records in partition 0, all read."""

    def make(partitions: int) -> KafkaScene:
        cluster = factories.make_cluster(cluster_id=None, bootstrap_servers=kafka_one.bootstrap_servers)
        factories.give_groups(cast.billing, "billing")
        topics.create_topic(kafka_one, topic_name, partitions=partitions)
        topics.produce_values(kafka_one, topic_name, "m1", "m2", "m3")
        scene = KafkaScene(cast, cluster, kafka_one, topic_name, unique_name("billing"))
        with connections.offset_admin(cluster.pk) as admin:
            ends = admin.bounds([TopicPartition(topic_name, number) for number in range(partitions)])
            silent = {str(of): found for of, found in ends.items() if isinstance(found, Problem)}
            assert not silent, f"{len(silent)} partitions do not answer: {dict(list(silent.items())[:3])}"
            targets = {of: Committed(found.log_end) for of, found in ends.items() if isinstance(found, OffsetBounds)}
            answers = admin.commit(GroupId(scene.group), targets)
        assert {answer.outcome for answer in answers.values()} == {WriteOutcome.WRITTEN}
        return scene

    return make
