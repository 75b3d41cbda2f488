"""The warnings on a real broker: what it takes for each to be true, made true there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from devtools.kafka import topics
from devtools.kafka.members import GroupMember, Protocol
from kafkaconsole.clusters import connections
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.history.sweeping import sweep
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.resets.errors import WrongGroupKind
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.planning import compute
from kafkaconsole.resets.remembering import recall
from kafkaconsole.resets.surroundings import Watch
from tests import factories
from tests.kafka.raw_members import connect_worker, share_member, streams_member
from tests.kafka.worlds import settings_for
from tests.resets.kafka_ground import HOUR, Ground, ground

__all__ = ["ground"]


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
    takes = (
        ", which takes 6 seconds;" if kind == "consumer" else "usually 45 seconds; brokers allow at most 30 minutes);"
    )
    assert takes in warnings["static_members"]
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
