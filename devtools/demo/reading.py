"""A consumer that reads what there is and stops, as a nightly job would."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from devtools.demo.layout import DemoRefused
from devtools.kafka.logins import Reachable
from devtools.kafka.waiting import comes_true

_LIMIT_SECONDS = 60.0


def read_to_the_end(
    kafka: Reachable, group: str, topics: Sequence[str], told: Callable[[Message], object] | None = None
) -> None:
    """Join the group, read its topics from where it stands (a new group: from the earliest) to their ends, commit, leave.

    Where nothing is new the same offsets are committed again. `told` is called with every record.
    Raises DemoRefused when that does not work out within a minute.
    """
    consumer = Consumer(
        {
            **kafka.client_settings(),
            "group.id": group,
            "client.id": f"{group}-1",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "session.timeout.ms": 6000,
        }
    )
    consumer.subscribe(list(topics))
    try:
        consumer.commit(offsets=_ends(consumer, group, told), asynchronous=False)
    except KafkaException as error:
        raise DemoRefused(f"The group {group} could not read or commit: {error}.") from error
    finally:
        consumer.close()


def _ends(consumer: Consumer, group: str, told: Callable[[Message], object] | None) -> list[TopicPartition]:
    """Read until every assigned partition said that it ended, and where."""
    ended: dict[tuple[str, int], int] = {}

    def at_the_end() -> bool:
        for message in consumer.consume(500, timeout=0.2):
            _take(message, ended, told)
        assigned = consumer.assignment()
        return bool(assigned) and all((one.topic, one.partition) in ended for one in assigned)

    if not comes_true(at_the_end, limit=_LIMIT_SECONDS, every=0):
        raise DemoRefused(
            f"The group {group} did not read its topics to their end within {_LIMIT_SECONDS:.0f} s: "
            "see whether another consumer of the group runs, and look at the log of kafka."
        )
    return [TopicPartition(topic, partition, offset) for (topic, partition), offset in ended.items()]


def _take(message: Message, ended: dict[tuple[str, int], int], told: Callable[[Message], object] | None) -> None:
    """A record is told; the word that a partition ended carries the offset of its end."""
    error = message.error()
    if error is None:
        if told is not None:
            told(message)
        return
    topic, partition, offset = message.topic(), message.partition(), message.offset()
    if error.code() != KafkaError._PARTITION_EOF or topic is None or partition is None or offset is None:
        raise KafkaException(error)
    ended[topic, partition] = offset
