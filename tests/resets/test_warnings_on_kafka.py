"""The warnings on a real broker: what it takes for each to be true, made true there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.members import GroupMember, Protocol
from kafkaconsole.clusters import connections
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.history.sweeping import sweep
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.records import open_reader
from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets.change import Change, parse_change
from kafkaconsole.resets.errors import WrongGroupKind
from kafkaconsole.resets.facts import NOTHING_RECALLED, Facts, Recalled
from kafkaconsole.resets.gathering import gather
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.planning import compute
from kafkaconsole.resets.remembering import recall
from kafkaconsole.resets.surroundings import Watch
from tests import factories
from tests.kafka.raw_members import connect_worker, share_member, streams_member
from tests.kafka.worlds import RealWorld, settings_for

HOUR = timedelta(hours=1)


@dataclass
class Ground:
    """One topic and one group of a real broker, and the plans that are made there."""

    kafka: LocalKafka
    topic: str
    group: str
    recalled: Recalled = NOTHING_RECALLED
    world: RealWorld = field(init=False)

    def __post_init__(self) -> None:
        self.world = RealWorld(self.kafka)

    def make(self, partitions: int = 1, **configs: str) -> None:
        """The topic."""
        named = {name.replace("_", "."): value for name, value in configs.items()}
        topics.create_topic(self.kafka, self.topic, partitions=partitions, configs=named)

    def write(self, *hours: float) -> None:
        """One record each, so many hours from now."""
        now = datetime.now(UTC)
        topics.produce(self.kafka, self.topic, [topics.Record(b"m", at=now + one * HOUR) for one in hours])

    def commit(self, offset: int, partition: int = 0) -> None:
        """What a consumer without a membership commits."""
        self.world.commit_by_hand(self.group, {TopicPartition(self.topic, partition): offset})

    def change(self, kind: str = "to_earliest", **strategy: object) -> Change:
        """A change of the whole topic."""
        return parse_change(
            {
                "cluster": "demo",
                "group": self.group,
                "scope": {"topics": [{"topic": self.topic}]},
                "strategy": {"kind": kind, **strategy},
            }
        )

    def facts(self, change: Change) -> Facts:
        """Measured now."""
        with open_admin(settings_for(self.kafka)) as admin, open_reader(settings_for(self.kafka)) as times:
            return gather(admin, change, now=datetime.now(UTC), times=times, recalled=self.recalled)

    def told(self, kind: str = "to_earliest", **strategy: object) -> dict[str, str]:
        """Every warning by its code, as people read it."""
        change = self.change(kind, **strategy)
        plan = compute(change, self.facts(change), datetime.now(UTC))
        return {one.code: sentence(one.code, one.facts) for one in plan.warnings}


@pytest.fixture
def ground(kafka_one: LocalKafka, topic_name: str, group_name: str) -> Ground:
    """A topic and a group of this test alone; neither is made yet."""
    return Ground(kafka_one, topic_name, group_name)


def test_compaction_and_whose_clock_are_read_from_the_topics_settings(ground: Ground) -> None:
    ground.make(cleanup_policy="compact", message_timestamp_type="LogAppendTime")
    topics.produce(ground.kafka, ground.topic, [topics.Record(b"m", key=b"k")])
    ground.commit(1)
    warnings = ground.told("by_duration", duration="PT1H")
    assert warnings.keys() == {"compacted_topics", "log_append_time"}


def test_times_to_come_and_times_out_of_order_are_seen_in_the_records(ground: Ground) -> None:
    ground.make()
    ground.write(-3, -1, -2.5, 0.5)  # brokers take no time more than an hour ahead
    ground.commit(4)
    warnings = ground.told("by_duration", duration="PT2H")
    assert warnings.keys() == {"timestamps_out_of_order", "timestamps_in_future"}
    assert "future_instant" in ground.told(
        "to_datetime", datetime=(datetime.now(UTC) + HOUR).isoformat(timespec="seconds")
    )


def test_an_open_transaction_below_the_target_is_told(ground: Ground) -> None:
    ground.make()
    ground.write(-1)
    ground.commit(1)
    with ground.world.transaction(ground.topic, b"a", b"b"):
        assert "2 offsets" in ground.told("to_latest")["open_transactions"]
    assert "open_transactions" not in ground.told("to_latest")


def test_records_that_are_lost_already_are_counted(ground: Ground) -> None:
    ground.make()
    ground.write(-1, -1, -1)
    ground.commit(1)
    topics.delete_records(ground.kafka, ground.topic, before={0: 3})
    assert "2 offsets that the group had not read" in ground.told()["records_lost"]


@pytest.mark.parametrize("kind", ["classic", "consumer"])
def test_static_members_are_told_with_what_they_read_and_so_is_a_deletion_under_them(
    ground: Ground, kind: Protocol
) -> None:
    ground.make(2)
    ground.write(-1)
    ground.commit(1)
    with GroupMember(
        ground.kafka, ground.group, topics=[ground.topic], group_protocol=kind, client_id="m", instance_id="seat-7"
    ):
        warnings = ground.told("delete_offsets")
    assert (
        f"reads 2 partitions ({ground.topic}-0, {ground.topic}-1) (static member seat-7" in warnings["group_not_empty"]
    )
    assert "seat-7" in warnings["static_members"]
    assert f"subscribed to {ground.topic}" in warnings["delete_while_subscribed"]


def test_a_consumer_with_manual_assignment_shows_only_in_a_second_reading(ground: Ground) -> None:
    ground.make()
    ground.write(-1, -1)
    ground.commit(1)
    change = ground.change()
    facts = ground.facts(change)
    with open_admin(settings_for(ground.kafka)) as admin:
        assert Watch(timedelta(0)).again(admin, facts).second == {}
        ground.commit(2)
        moved = Watch(timedelta(0)).again(admin, facts)
    plan = compute(change, moved, datetime.now(UTC))
    assert [one.code for one in plan.warnings] == ["commits_moving"]
    assert "from 1 to 2" in sentence("commits_moving", plan.warnings[0].facts)


@pytest.mark.parametrize(
    ("join", "kind", "way"),
    [
        (share_member, "share", "kafka-share-groups"),
        (streams_member, "streams", "kafka-streams-groups"),
        (connect_worker, "connect", "connect-NAME"),
    ],
)
def test_a_kind_that_cannot_be_reset_is_refused_by_name_with_the_way_to_do_it(
    ground: Ground, join: Callable[..., object], kind: str, way: str
) -> None:
    ground.make()
    arguments = (ground.kafka, ground.group) if kind == "connect" else (ground.kafka, ground.group, ground.topic)
    with join(*arguments), pytest.raises(WrongGroupKind) as caught:  # type: ignore[attr-defined]
        ground.told()
    assert caught.value.facts["kind"] == kind
    assert way in sentence(caught.value.code, caught.value.facts)


@pytest.mark.django_db
def test_what_our_history_saw_of_the_topic_is_told(ground: Ground) -> None:
    cluster = factories.make_cluster(cluster_id=None, bootstrap_servers=ground.kafka.bootstrap_servers)
    ground.make()
    ground.write(-1, -1, -1)
    ground.commit(3)
    look(cluster)
    topics.delete_records(ground.kafka, ground.topic, before={0: 2})
    topics.grow_topic(ground.kafka, ground.topic, partitions=3)
    ground.recalled = recall(ground.change(), cluster.pk)
    warnings = ground.told()
    assert f"{ground.topic} had 1 and has 3" in warnings["partitions_added"]
    assert "in about 0.0 hours" in warnings["target_expires"]
    topics.delete_topic(ground.kafka, ground.topic)
    ground.make()
    ground.commit(0)
    again = ground.told()
    assert ground.topic in again["topics_made_again"] and "partitions_added" not in again


@pytest.mark.django_db
def test_commits_that_moved_between_two_sweeps_of_an_empty_group_are_told(ground: Ground) -> None:
    cluster = factories.make_cluster(cluster_id=None, bootstrap_servers=ground.kafka.bootstrap_servers)
    ground.make()
    ground.write(-1, -1)
    ground.commit(1)
    look(cluster)
    ground.commit(2)
    look(cluster)
    ground.recalled = recall(ground.change(), cluster.pk)
    assert f"moved on {ground.topic}" in ground.told()["commits_moved_lately"]


def look(cluster: Cluster) -> None:
    """One sweep of the real cluster."""
    assert sweep(cluster.pk, connections.offset_admin).outcome in ("ok", "partial")
