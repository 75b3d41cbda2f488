"""Topics and records on a local cluster, as tests and the demo need them.

Topics by kafka-python's admin client, records by confluent-kafka's producer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from confluent_kafka import KafkaException, Message, Producer
from kafka import TopicPartition
from kafka.admin import OffsetSpec
from kafka.errors import KafkaError

from devtools.kafka import admin
from devtools.kafka.errors import KafkaNotReady
from devtools.kafka.logins import ADMIN, Login, Reachable
from devtools.kafka.waiting import comes_true

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LIMIT_SECONDS = 30.0


@dataclass(frozen=True)
class Record:
    """One record to write. `at` is its timestamp (aware; None: now), `value` None is a tombstone."""

    value: bytes | None
    key: bytes | None = None
    partition: int = 0
    at: datetime | None = None
    headers: tuple[tuple[str, bytes | None], ...] = ()


@dataclass(frozen=True)
class Written:
    """Where a record went."""

    partition: int
    offset: int


def create_topic(
    kafka: Reachable, name: str, *, partitions: int = 1, replicas: int = -1, configs: Mapping[str, str] | None = None
) -> None:
    """Create it and return when every partition answers. replicas -1: the cluster's default (1, or 3 of three).

    A partition is listed with a leader before that broker serves it: of 1,100 new ones up to 738 were seen to
    answer NOT_LEADER_OR_FOLLOWER although every one had a leader.
    """
    wanted = {"num_partitions": partitions, "replication_factor": replicas, "configs": dict(configs or {})}
    with admin.opened(kafka.door()) as client:
        client.create_topics({name: wanted}, wait_for_metadata=True)
        _wait_served(client, name, partitions)


def delete_topic(kafka: Reachable, name: str) -> None:
    """Delete it and return when no broker lists it any more."""
    with admin.opened(kafka.door()) as client:
        client.delete_topics([name])
        _wait(lambda: name not in client.list_topics(), f"the end of topic {name}")


def grow_topic(kafka: Reachable, name: str, *, partitions: int) -> None:
    """Raise the number of partitions to `partitions` and return when the new ones answer too."""
    with admin.opened(kafka.door()) as client:
        client.create_partitions({name: partitions})
        _wait_served(client, name, partitions)


def delete_records(kafka: Reachable, topic: str, *, before: Mapping[int, int]) -> None:
    """Delete the records below an offset, {partition: first offset to keep}; the log start moves there at once."""
    with admin.opened(kafka.door()) as client:
        client.delete_records({TopicPartition(topic, number): offset for number, offset in before.items()})


def log_bounds(kafka: Reachable, topic: str) -> dict[int, tuple[int, int]]:
    """{partition: (log start, log end)}; the end is the offset of the next record."""
    with admin.opened(kafka.door()) as client:
        described = client.describe_topics([topic])[0]
        of = [TopicPartition(topic, one["partition_index"]) for one in described["partitions"]]
        starts = client.list_partition_offsets(dict.fromkeys(of, OffsetSpec.EARLIEST))
        ends = client.list_partition_offsets(dict.fromkeys(of, OffsetSpec.LATEST))
    return {one.partition: (int(starts[one].offset), int(ends[one].offset)) for one in of}


def produce(kafka: Reachable, topic: str, records: Iterable[Record], *, login: Login = ADMIN) -> list[Written]:
    """Write records (acks=all) and say where each went, in the order given. Raises KafkaException for the first refused."""
    return _write(Producer(_producer_settings(kafka, login)), topic, list(records))


def produce_values(kafka: Reachable, topic: str, *values: str, partition: int = 0) -> list[Written]:
    """`produce` for plain texts on one partition: produce_values(kafka, "hello", "m1", "m2", "m3")."""
    return produce(kafka, topic, [Record(value.encode(), partition=partition) for value in values])


def produce_in_transaction(
    kafka: Reachable, topic: str, records: Iterable[Record], *, transactional_id: str, commits: bool
) -> list[Written]:
    """Write records in one transaction and commit or abort it; its marker takes one more offset on each partition."""
    producer = Producer({**_producer_settings(kafka, ADMIN), "transactional.id": transactional_id})
    producer.init_transactions(_LIMIT_SECONDS)
    producer.begin_transaction()
    written = _write(producer, topic, list(records))
    if commits:
        producer.commit_transaction(_LIMIT_SECONDS)
    else:
        producer.abort_transaction(_LIMIT_SECONDS)
    return written


def epoch_ms(instant: datetime) -> int:
    """Kafka's timestamps: whole milliseconds since 1970 (a naive instant raises TypeError)."""
    return (instant - _EPOCH) // timedelta(milliseconds=1)


def _producer_settings(kafka: Reachable, login: Login) -> dict[str, str | int | float | bool | None]:
    limit = {"acks": "all", "message.timeout.ms": str(int(_LIMIT_SECONDS * 1000))}
    return {**kafka.client_settings(login), **limit}


def _write(producer: Producer, topic: str, records: Sequence[Record]) -> list[Written]:
    placed: dict[int, Written] = {}
    refused: list[KafkaException] = []

    def report_for(place: int) -> Callable[[Any, Message], None]:
        def report(error: Any, message: Message) -> None:
            if error is not None:
                refused.append(KafkaException(error))
                return
            placed[place] = _written(message)

        return report

    for place, record in enumerate(records):
        while not _enqueued(producer, topic, record, report_for(place)):
            producer.poll(0.5)
    remaining = producer.flush(_LIMIT_SECONDS)
    if refused:
        raise refused[0]
    if remaining:
        raise KafkaNotReady(
            f"{remaining} of {len(records)} records for {topic} were not taken in {_LIMIT_SECONDS:.0f} s."
        )
    return [placed[place] for place in range(len(records))]


def _enqueued(producer: Producer, topic: str, record: Record, report: Callable[[Any, Message], None]) -> bool:
    """Whether the producer's own queue had room."""
    try:
        producer.produce(
            topic,
            value=record.value,
            key=record.key,
            partition=record.partition,
            timestamp=0 if record.at is None else epoch_ms(record.at),
            headers=list(record.headers),
            on_delivery=report,
        )
    except BufferError:
        return False
    return True


def _written(message: Message) -> Written:
    partition, offset = message.partition(), message.offset()
    if partition is None or offset is None or offset < 0:
        raise KafkaNotReady(
            f"Kafka took a record and did not say where it is (partition {partition}, offset {offset})."
        )
    return Written(partition=partition, offset=offset)


def _leaders(client: Any, topic: str) -> int:
    """How many partitions of the topic have a leader."""
    found = client.describe_topics([topic])
    return sum(1 for one in found[0]["partitions"] if one["leader_id"] >= 0) if found else 0


def _wait_served(client: Any, topic: str, partitions: int) -> None:
    _wait(lambda: _leaders(client, topic) == partitions, f"the {partitions} partitions of topic {topic}")
    _wait(lambda: _all_answer(client, topic, partitions), f"an answer of all {partitions} partitions of topic {topic}")


def _all_answer(client: Any, topic: str, partitions: int) -> bool:
    """Whether the leaders serve every partition now."""
    wanted = {TopicPartition(topic, number): OffsetSpec.EARLIEST for number in range(partitions)}
    try:
        return len(client.list_partition_offsets(wanted)) == partitions
    except KafkaError:
        return False


def _wait(condition: Callable[[], bool], what: str) -> None:
    if not comes_true(condition, limit=_LIMIT_SECONDS):
        raise KafkaNotReady(f"Kafka did not show {what} within {_LIMIT_SECONDS:.0f} s.")
