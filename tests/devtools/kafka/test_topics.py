"""Topics and records come out on the broker as they were asked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition
from kafka import TopicPartition as AdminPartition

from devtools.kafka import admin, topics
from devtools.kafka.cluster import LocalKafka


def read_back(kafka: LocalKafka, topic: str, count: int, *, isolation: str = "read_uncommitted") -> list[Message]:
    settings = {"group.id": "nobody", "enable.auto.commit": False, "isolation.level": isolation}
    consumer = Consumer({**kafka.client_settings(), **settings})
    consumer.assign([TopicPartition(topic, 0, 0)])
    try:
        return consumer.consume(count, timeout=20)
    finally:
        consumer.close()


def test_a_topic_has_its_partitions_and_settings(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name, partitions=3)
    assert topics.log_bounds(kafka_one, topic_name) == {0: (0, 0), 1: (0, 0), 2: (0, 0)}


def test_a_deleted_topic_is_gone_and_can_be_made_again(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name)
    topics.produce_values(kafka_one, topic_name, "m1")
    topics.delete_topic(kafka_one, topic_name)
    with admin.opened(kafka_one.door()) as client:
        assert topic_name not in client.list_topics()
    topics.create_topic(kafka_one, topic_name)
    assert topics.log_bounds(kafka_one, topic_name) == {0: (0, 0)}


def test_a_grown_topic_takes_records_on_its_new_partitions(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name)
    topics.grow_topic(kafka_one, topic_name, partitions=3)
    assert topics.produce_values(kafka_one, topic_name, "m1", partition=2) == [topics.Written(2, 0)]


def test_deleted_records_move_the_log_start(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name)
    topics.produce_values(kafka_one, topic_name, "m1", "m2", "m3")
    topics.delete_records(kafka_one, topic_name, before={0: 2})
    assert topics.log_bounds(kafka_one, topic_name) == {0: (2, 3)}


def test_a_record_keeps_key_headers_and_timestamp(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name)
    at = datetime(2020, 2, 29, 12, 30, 0, 123000, tzinfo=UTC)
    record = topics.Record(b"\x00\xff", key=b"k", at=at, headers=(("trace", b"\x01"), ("empty", None)))
    topics.produce(kafka_one, topic_name, [record, topics.Record(None, key=b"tombstone")])
    first, second = read_back(kafka_one, topic_name, 2)
    assert (first.key(), first.value()) == (b"k", b"\x00\xff")
    assert first.headers() == [("trace", b"\x01"), ("empty", None)]
    assert first.timestamp()[1] == 1_582_979_400_123
    assert second.value() is None


def test_old_records_are_found_by_their_time(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name)
    noon = datetime(2024, 6, 1, 12, tzinfo=UTC)
    hourly = [topics.Record(b"m", at=noon + timedelta(hours=hour)) for hour in range(5)]
    topics.produce(kafka_one, topic_name, hourly)
    with admin.opened(kafka_one.door()) as client:
        asked = AdminPartition(topic_name, 0)
        found = client.list_partition_offsets({asked: topics.epoch_ms(noon + timedelta(hours=3))})
    assert found[asked].offset == 3


def test_records_are_answered_in_the_order_given(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name, partitions=2)
    alternating = [topics.Record(b"m", partition=number % 2) for number in range(6)]
    written = topics.produce(kafka_one, topic_name, alternating)
    assert [(one.partition, one.offset) for one in written] == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]


def test_a_refused_record_raises(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name)
    with pytest.raises(KafkaException) as refused:
        topics.produce(kafka_one, topic_name, [topics.Record(b"m1", partition=9)])
    assert refused.value.args[0].code() == KafkaError._UNKNOWN_PARTITION


def test_an_aborted_transaction_takes_offsets_and_gives_no_records(kafka_one: LocalKafka, topic_name: str) -> None:
    topics.create_topic(kafka_one, topic_name)
    for name, commits in (("aborted", False), ("committed", True)):
        records = [topics.Record(name.encode())]
        topics.produce_in_transaction(
            kafka_one, topic_name, records, transactional_id=name + topic_name, commits=commits
        )
    assert topics.log_bounds(kafka_one, topic_name) == {0: (0, 4)}
    (only,) = read_back(kafka_one, topic_name, 1, isolation="read_committed")
    assert (only.offset(), only.value()) == (2, b"committed")


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(TypeError):
        topics.epoch_ms(datetime(2024, 6, 1))  # noqa: DTZ001 - that is the point
