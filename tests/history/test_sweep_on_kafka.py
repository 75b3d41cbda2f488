"""Sweeps of a real broker, through the product's own connections."""

from __future__ import annotations

import pytest

from devtools.kafka.cluster import LocalKafka
from kafkaconsole.clusters import connections
from kafkaconsole.clusters.models import Cluster, Health
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import queries, sweeping
from kafkaconsole.history.models import Outcome, Sweep
from kafkaconsole.kafka.values import TopicPartition
from tests.history.scene import make_cluster
from tests.kafka.worlds import RealWorld


@pytest.fixture
def world(kafka_one: LocalKafka, topic_name: str, group_name: str) -> RealWorld:
    """A topic of two partitions with m1, m2, m3 and n1; the group stands at 1 and 0."""
    world = RealWorld(kafka_one)
    world.add_topic(topic_name, partitions=2)
    world.produce(topic_name, b"m1", b"m2", b"m3")
    world.produce(topic_name, b"n1", partition=1)
    world.commit_by_hand(group_name, {TopicPartition(topic_name, 0): 1, TopicPartition(topic_name, 1): 0})
    return world


@pytest.fixture
def cluster(db: None, kafka_one: LocalKafka) -> Cluster:
    """The broker, registered in the console."""
    cluster = make_cluster()
    cluster.bootstrap_servers = kafka_one.bootstrap_servers
    cluster.save()
    return cluster


def sweep(cluster: Cluster) -> Sweep:
    return sweeping.sweep(cluster.pk, connections.offset_admin)


def group_of(cluster: Cluster, name: str) -> ConsumerGroup:
    return ConsumerGroup.objects.select_related("cluster").get(cluster=cluster, name=name)


def test_a_real_broker_is_measured(world: RealWorld, cluster: Cluster, topic_name: str, group_name: str) -> None:
    assert sweep(cluster).outcome in (Outcome.OK, Outcome.PARTIAL)  # other tests may leave groups that cannot be read
    group = group_of(cluster, group_name)
    standing = queries.standing(group)
    assert [(line.topic, line.partition, line.committed, line.log_start, line.log_end) for line in standing.lines] == [
        (topic_name, 0, 1, 0, 3),
        (topic_name, 1, 0, 0, 1),
    ]
    assert (group.state, group.lag, standing.lag) == ("Empty", 3, 3)
    cluster.refresh_from_db()
    assert cluster.cluster_id
    assert cluster.health in (Health.OK, Health.DEGRADED)


def test_a_reset_made_on_a_real_broker_is_seen_as_a_rewind(
    world: RealWorld, cluster: Cluster, topic_name: str, group_name: str
) -> None:
    first = sweep(cluster)
    world.commit_by_hand(group_name, {TopicPartition(topic_name, 0): 0})
    world.produce(topic_name, b"m4")
    second = sweep(cluster)
    assert first.at is not None and second.at is not None
    found = queries.series(
        group_of(cluster, group_name), topic=topic_name, start=first.at, end=second.at, max_points=50
    )
    assert [(point.committed, point.log_end, point.lag) for point in found.points] == [(1, 4, 3), (0, 5, 5)]
    assert found.rewinds == (second.at,)
    assert queries.at(group_of(cluster, group_name), first.at).lines[0].committed == 1


def test_members_of_a_real_group_are_told(world: RealWorld, cluster: Cluster, topic_name: str, group_name: str) -> None:
    with world.member(group_name, topic_name, "consumer"):
        sweep(cluster)
    group = group_of(cluster, group_name)
    assert group.type == "consumer"
    held = [partition for member in group.members for topic, partition in member["partitions"] if topic == topic_name]
    assert sorted(held) == [0, 1]
    assert {member["client_id"] for member in group.members} == {"member"}


def test_an_idle_group_of_a_real_broker_costs_no_sample(
    world: RealWorld, cluster: Cluster, topic_name: str, group_name: str
) -> None:
    first = sweep(cluster)
    second = sweep(cluster)
    assert first.at is not None and second.at is not None
    found = queries.series(group_of(cluster, group_name), start=first.at, end=second.at, max_points=50)
    assert [(point.at, point.lag) for point in found.points] == [(first.at, 3), (second.at, 3)]


def test_nothing_that_listens_is_a_failed_sweep(db: None) -> None:
    cluster = make_cluster()
    cluster.bootstrap_servers = "127.0.0.1:1"
    cluster.save()
    failed = sweep(cluster)
    cluster.refresh_from_db()
    assert (failed.outcome, cluster.health) == (Outcome.FAILED, Health.UNREACHABLE)
    assert cluster.problem is not None
    assert cluster.problem["code"] == "kafka.unavailable"
