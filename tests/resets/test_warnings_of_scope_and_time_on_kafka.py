"""The same on a real broker, and the group that is copied."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.members import GroupMember
from kafkaconsole.resets.change import Scope
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.planning import compute
from tests.resets.kafka_ground import HOUR, Ground, ground

__all__ = ["ground"]


def told_of_all_committed(ground: Ground) -> dict[str, str]:
    """The warnings of everything that the group has committed."""
    change = replace(ground.change(), scope=Scope(all_committed=True))
    plan = compute(change, ground.facts(change), datetime.now(UTC))
    return {one.code: sentence(one.code, one.facts) for one in plan.warnings}


def test_a_search_by_time_says_what_each_log_holds(ground: Ground) -> None:
    ground.make(3)
    now = datetime.now(UTC)
    for partition, hours in ((0, (-5, -4)), (2, (-3, -2, -1))):
        written = [topics.Record(b"m", partition=partition, at=now + one * HOUR) for one in hours]
        topics.produce(ground.kafka, ground.topic, written)
    topics.delete_records(ground.kafka, ground.topic, before={2: 1})
    ground.commit(0)
    warnings = ground.told("by_duration", duration="PT3H30M")
    assert f"on 1 partition ({ground.topic}-0). The newest is" in warnings["lines_without_record"]
    assert warnings["lines_empty"].startswith(f"1 partition ({ground.topic}-1) holds no records at all")
    assert f"On 1 partition ({ground.topic}-2) the moment lies before" in warnings["log_begins_later"]


def test_all_committed_says_which_partitions_it_leaves_out(ground: Ground) -> None:
    ground.make(4)
    ground.write(-1)
    ground.commit(1)
    ground.commit(0, partition=2)
    text = told_of_all_committed(ground)["partitions_uncommitted"]
    assert f"2 partitions ({ground.topic}-1, {ground.topic}-3)" in text


def test_internal_topics_of_a_streams_application_are_left_out_unless_they_are_named(ground: Ground) -> None:
    ground.make()
    ground.write(-1)
    ground.commit(1)
    inner = Ground(ground.kafka, f"{ground.group}-by-user-repartition", ground.group)
    inner.make()
    inner.commit(0)
    assert inner.topic in told_of_all_committed(ground)["streams_topics_left_out"]
    assert "streams_application" in inner.told()
    assert "streams_topics_left_out" not in inner.told()


def test_a_copied_group_on_another_set_of_topics_is_taken_where_both_have_the_partition(
    ground: Ground, kafka_one: LocalKafka
) -> None:
    ground.make(2)
    ground.write(-1, -1)
    ground.commit(2)
    ground.commit(0, partition=1)
    source = f"{ground.group}-source"
    other = Ground(kafka_one, f"{ground.topic}-other", source)
    other.make()
    with GroupMember(kafka_one, source, topics=[ground.topic], group_protocol="classic", client_id="m") as member:
        member.read(1)
        warnings = ground.told("copy_group", from_group=source)
    assert f"Group {source}, which is copied, has 1 member and moves on" in warnings["source_group_active"]
    assert "lines_not_in_source" in warnings
