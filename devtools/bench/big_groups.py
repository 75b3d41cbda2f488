"""Two Empty groups on one real broker: one with commits on 1,000 partitions, one on 10,000, and records in all of them.

Each partition holds RECORDS records, a minute apart. INSTANT lies between two of them, so a reset to it comes to the
offset TARGET everywhere, which is another one than the commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from confluent_kafka import Producer
from kafka import TopicPartition
from kafka.structs import OffsetAndMetadata

from devtools.kafka import admin
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.topics import epoch_ms
from devtools.kafka.waiting import comes_true

PARTITIONS_A_TOPIC = 50
RECORDS, COMMITTED, TARGET = 6, 5, 3
STEP = timedelta(minutes=1)
FIRST_AT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
INSTANT = FIRST_AT + TARGET * STEP - STEP / 2

_TOPICS_AT_ONCE = 20
_LIMIT_SECONDS = 300.0
_BROKER_HEAP = "1g"
# An index is made in its full length: 11,000 partitions with the usual 10 MB each would look like 200 GB.
_CONFIGS = {"segment.index.bytes": "4096"}


@dataclass(frozen=True)
class BigGroup:
    """A group with one commit on each partition of its topics."""

    name: str
    topics: tuple[str, ...]

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """All of them, by topic and number."""
        return tuple(TopicPartition(topic, number) for topic in self.topics for number in range(PARTITIONS_A_TOPIC))


@contextmanager
def big_groups(*sizes: int) -> Iterator[tuple[LocalKafka, tuple[BigGroup, ...]]]:
    """A broker of its own with a group for each number of partitions; the smaller ones share the topics of the largest."""
    names = [f"shop.events-{number:03d}" for number in range(max(sizes) // PARTITIONS_A_TOPIC)]
    groups = tuple(BigGroup(f"billing-{size}", tuple(names[: size // PARTITIONS_A_TOPIC])) for size in sizes)
    with _roomy_broker(), LocalKafka() as kafka:
        fill(kafka, groups)
        yield kafka, groups


@contextmanager
def _roomy_broker() -> Iterator[None]:
    """Brokers that are started meanwhile have room for 11,000 partitions."""
    before = os.environ.get("KAFKA_HEAP")
    os.environ["KAFKA_HEAP"] = before or _BROKER_HEAP
    try:
        yield
    finally:
        if before is None:
            del os.environ["KAFKA_HEAP"]


def fill(kafka: LocalKafka, groups: tuple[BigGroup, ...]) -> None:
    """Make the topics, write the records, commit for each group."""
    largest = max(groups, key=lambda one: len(one.topics))
    with admin.opened(kafka.door(), limit_ms=60_000) as client:
        _make_topics(client, largest.topics)
        _write_records(kafka, largest)
        for group in groups:
            _commit(client, group)


def _make_topics(client: Any, names: tuple[str, ...]) -> None:
    wanted = {"num_partitions": PARTITIONS_A_TOPIC, "replication_factor": 1, "configs": _CONFIGS}
    for at in range(0, len(names), _TOPICS_AT_ONCE):
        some = names[at : at + _TOPICS_AT_ONCE]
        client.create_topics(dict.fromkeys(some, wanted))
        if not comes_true(partial(_led, client, some), limit=_LIMIT_SECONDS):
            raise SystemExit(f"Not all of {some[0]} … {some[-1]} got leaders within {_LIMIT_SECONDS:.0f} s.")


def _led(client: Any, names: tuple[str, ...]) -> bool:
    """Whether every partition has a leader."""
    found = [one for topic in client.describe_topics(list(names)) for one in topic["partitions"]]
    return len(found) == len(names) * PARTITIONS_A_TOPIC and all(one["leader_id"] >= 0 for one in found)


def _write_records(kafka: LocalKafka, group: BigGroup) -> None:
    """The producer tries again until each leader serves its partition, and keeps the order."""
    settings = {"enable.idempotence": "true", "message.timeout.ms": str(int(_LIMIT_SECONDS * 1000))}
    producer = Producer({**kafka.client_settings(), **settings})
    for of in group.partitions:
        for number in range(RECORDS):
            at = epoch_ms(FIRST_AT + number * STEP)
            while not _enqueued(producer, of, f"{of.topic}-{of.partition}-{number}".encode(), at):
                producer.poll(0.5)
    if left := producer.flush(_LIMIT_SECONDS):
        raise SystemExit(f"{left} records were not taken within {_LIMIT_SECONDS:.0f} s.")


def _enqueued(producer: Producer, of: TopicPartition, value: bytes, at: int) -> bool:
    """Whether the producer's own queue had room."""
    try:
        producer.produce(of.topic, value=value, partition=of.partition, timestamp=at)
    except BufferError:
        return False
    producer.poll(0)
    return True


def _commit(client: Any, group: BigGroup) -> None:
    for topic in group.topics:
        offsets = {
            TopicPartition(topic, number): OffsetAndMetadata(COMMITTED, "", None)
            for number in range(PARTITIONS_A_TOPIC)
        }
        client.alter_group_offsets(group.name, offsets)
