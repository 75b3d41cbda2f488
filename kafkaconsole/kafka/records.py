"""Reading records through confluent-kafka: the adapter behind `RecordReader`.

It assigns and never subscribes, so it joins no group; it never commits, and makes no group call at all (kafka-facts 6).
Its destruction can hang: use it in a worker child, under the task's hard time limit.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from confluent_kafka import (
    TIMESTAMP_CREATE_TIME,
    TIMESTAMP_LOG_APPEND_TIME,
    Consumer,
    KafkaError,
    KafkaException,
    Message,
)
from confluent_kafka import TopicPartition as ClientPartition

from kafkaconsole.kafka.client_settings import librdkafka_settings
from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable, NotAuthorized
from kafkaconsole.kafka.reasons import TIMED_OUT, error_for, reason_in
from kafkaconsole.kafka.times import instant_of
from kafkaconsole.kafka.values import ConnectionSettings, Offset, Record, RecordSpan, TimedOffset, TopicPartition

READER_GROUP = "kafka-console-reads-records"
"""librdkafka wants a group name even to assign; this one is never joined and never committed to."""

READER_SETTINGS: Mapping[str, str | int | bool] = {
    "group.id": READER_GROUP,
    "enable.auto.commit": False,
    "enable.auto.offset.store": False,
    "auto.offset.reset": "earliest",
    "isolation.level": "read_uncommitted",
    "enable.partition.eof": True,
    "allow.auto.create.topics": False,
    "fetch.wait.max.ms": 10,
    "topic.metadata.propagation.max.ms": 1000,
    "queued.max.messages.kbytes": 16_384,
}

WAIT_SECONDS = 0.5

NOT_THERE = (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError._UNKNOWN_TOPIC, KafkaError._UNKNOWN_PARTITION)
NOT_ALLOWED = (KafkaError.TOPIC_AUTHORIZATION_FAILED, KafkaError.GROUP_AUTHORIZATION_FAILED)
WILL_NOT_COME = (*NOT_THERE, *NOT_ALLOWED, KafkaError._PARTITION_EOF)

TIMESTAMP_TYPES = {TIMESTAMP_CREATE_TIME: "create_time", TIMESTAMP_LOG_APPEND_TIME: "log_append_time"}


@contextmanager
def open_reader(settings: ConnectionSettings) -> Iterator[KafkaRecordReader]:
    """A `RecordReader` for the length of the block. Connects at its first call, which then tells what is wrong."""
    overheard: list[str] = []
    configuration = librdkafka_settings(settings) | {
        **READER_SETTINGS,
        "error_cb": lambda error: overheard.append(f"{error.name()} {error.str()}"),
    }
    consumer = Consumer(configuration)
    try:
        yield KafkaRecordReader(consumer, settings, overheard)
    finally:
        consumer.close()


@dataclass(slots=True)
class _Look:
    """What is being read around one offset."""

    offset: Offset
    reach: int
    found: list[TimedOffset] = field(default_factory=list)
    failed: bool = False

    @property
    def start(self) -> int:
        """Where reading begins; an offset that has left the log begins at the log start instead."""
        return max(0, self.offset - self.reach)

    def is_full_with(self, record: Record) -> bool:
        """Take the next record in; whether nothing more is needed."""
        if record.offset < self.start:  # asked beyond the end, and reading began anew at the earliest
            return True
        far = record.offset >= self.offset + self.reach
        if record.at is not None and not (far and self.found and self.found[-1].offset >= self.offset):
            self.found.append(TimedOffset(record.offset, record.at, record.timestamp_type))
        return record.offset >= self.offset + self.reach - 1


class KafkaRecordReader:
    """Implements `RecordReader`; see the port for what each call promises."""

    def __init__(self, consumer: Consumer, settings: ConnectionSettings, overheard: list[str]) -> None:
        self._consumer = consumer
        self._settings = settings
        self._overheard = overheard

    def read(self, spans: Sequence[RecordSpan], *, time_limit: timedelta) -> Iterator[Record]:
        """Yield the records of the spans, one span after the other.

        What has left the log is not there to be read: a span that begins before the log start begins at the log start,
        and none goes beyond the log end. Raises NotAuthorized, KafkaRefused (`reason`: `partition_not_found`,
        `records_gone`) or KafkaUnavailable (`reason`: `timed_out`, `no_leader` or why there is no connection).
        """
        deadline = time.monotonic() + time_limit.total_seconds()
        for span in spans:
            low, high = self._watermarks(span.of, deadline)
            start, stop = max(span.start, low), min(span.stop, high)
            if start < stop:
                yield from self._read_one(span.of, start, stop, deadline)

    def times_around(
        self, offsets: Mapping[TopicPartition, Offset], *, reach: int, time_limit: timedelta
    ) -> dict[TopicPartition, tuple[TimedOffset, ...]]:
        """The times of records around each offset. Partitions that cannot be read in time are absent."""
        deadline = time.monotonic() + time_limit.total_seconds()
        led = {topic: self._led_partitions(topic, deadline) for topic in {of.topic for of in offsets}}
        looks = {of: _Look(offset, reach) for of, offset in offsets.items() if of.partition in led[of.topic]}
        waiting = set(looks)
        assigned = [ClientPartition(one.topic, one.partition, look.start) for one, look in looks.items()]
        self._consumer.assign(assigned)
        try:
            while waiting and (left := deadline - time.monotonic()) > 0:
                message = self._consumer.poll(min(WAIT_SECONDS, left))
                if message is not None:
                    self._note(message, looks, waiting)
        finally:
            self._consumer.resume(assigned)  # a pause outlives the assignment
            self._consumer.unassign()
        return {of: tuple(look.found) for of, look in looks.items() if of not in waiting and not look.failed}

    def _led_partitions(self, topic: str, deadline: float) -> frozenset[int]:
        """The topic's partitions that have a leader; none if the topic is not there, or not to be seen."""
        left = deadline - time.monotonic()
        if left <= 0:
            return frozenset()
        try:
            described = self._consumer.list_topics(topic, timeout=left).topics[topic]
        except KafkaException:
            return frozenset()
        return frozenset(number for number, one in described.partitions.items() if one.leader >= 0)

    def _note(self, message: Message, looks: Mapping[TopicPartition, _Look], waiting: set[TopicPartition]) -> None:
        """Take one message in, and read no more of a partition that has all it needs."""
        of = TopicPartition(message.topic() or "", -1 if (number := message.partition()) is None else number)
        error = message.error()
        if error is not None:
            if error.code() in WILL_NOT_COME:
                for one in [one for one in waiting if one.topic == of.topic and of.partition in (-1, one.partition)]:
                    waiting.discard(one)
                    looks[one].failed = error.code() != KafkaError._PARTITION_EOF
        elif of in waiting and looks[of].is_full_with(_record(message)):
            waiting.discard(of)
            self._consumer.pause([ClientPartition(of.topic, of.partition)])

    def _watermarks(self, of: TopicPartition, deadline: float) -> tuple[int, int]:
        """Log start and high watermark; retried while a leader is being found."""
        self._check_led(of, deadline)
        asked = ClientPartition(of.topic, of.partition)
        while True:
            try:
                low, high = self._consumer.get_watermark_offsets(asked, timeout=self._left(deadline, of), cached=False)
            except KafkaException as exception:
                self._raise_if_final(exception.args[0], of)
                self._consumer.poll(min(WAIT_SECONDS, self._left(deadline, of)))
                continue
            return low, high

    def _check_led(self, of: TopicPartition, deadline: float) -> None:
        """Tell a partition that is not there from one that nobody leads: to librdkafka both are unknown."""
        while True:
            try:
                described = self._consumer.list_topics(of.topic, timeout=self._left(deadline, of)).topics[of.topic]
            except KafkaException as exception:
                self._raise_if_final(exception.args[0], of)
                continue
            if described.error is not None:
                self._raise_if_final(described.error, of)
            elif of.partition not in described.partitions:
                raise KafkaRefused(reason="partition_not_found", topic=of.topic, partition=of.partition)
            elif described.partitions[of.partition].leader < 0:
                raise KafkaUnavailable(reason="no_leader", topic=of.topic, partition=of.partition)
            else:
                return
            self._consumer.poll(min(WAIT_SECONDS, self._left(deadline, of)))

    def _read_one(self, of: TopicPartition, start: int, stop: int, deadline: float) -> Iterator[Record]:
        """Records from `start` to `stop`; ends at the partition's end too, for holes and markers have no records."""
        self._consumer.assign([ClientPartition(of.topic, of.partition, start)])
        try:
            while True:
                message = self._consumer.poll(min(WAIT_SECONDS, self._left(deadline, of)))
                if message is None:
                    if self._position(of) >= stop:
                        return
                    continue
                error = message.error()
                if error is not None and error.code() == KafkaError._PARTITION_EOF:
                    return
                if error is not None:
                    self._raise_if_final(error, of)
                    continue
                if _offset(message) >= stop:
                    return
                if _offset(message) < start:  # the log was cut below what we asked, and reading began anew
                    raise KafkaRefused(reason="records_gone", topic=of.topic, partition=of.partition)
                yield _record(message)
                if _offset(message) == stop - 1:
                    return
        finally:
            self._consumer.unassign()

    def _position(self, of: TopicPartition) -> int:
        return int(self._consumer.position([ClientPartition(of.topic, of.partition)])[0].offset)

    def _left(self, deadline: float, of: TopicPartition) -> float:
        """Seconds until the limit; raises KafkaUnavailable once it is reached."""
        left = deadline - time.monotonic()
        if left > 0:
            return left
        self._consumer.poll(0)  # what `error_cb` has to tell comes only in a poll
        for text in reversed(self._overheard):
            reason = reason_in(text, self._settings)
            if reason is not None:
                raise error_for(reason, self._settings, text)
        raise KafkaUnavailable(reason=TIMED_OUT, topic=of.topic, partition=of.partition)

    def _raise_if_final(self, error: KafkaError, of: TopicPartition) -> None:
        """Raise for what waiting cannot mend."""
        code = error.code()
        if code in NOT_ALLOWED:
            raise NotAuthorized(right="READ", resource=f"topic {of.topic}")
        if code in NOT_THERE:
            raise KafkaRefused(reason="partition_not_found", topic=of.topic, partition=of.partition)
        if code in (KafkaError._AUTHENTICATION, KafkaError._SSL, KafkaError._UNSUPPORTED_FEATURE):
            reason = reason_in(error.str(), self._settings) or "wrong_credentials"
            raise error_for(reason, self._settings, error.str())


def _offset(message: Message) -> int:
    offset = message.offset()
    assert offset is not None
    return offset


def _record(message: Message) -> Record:
    kind, milliseconds = message.timestamp()
    topic, partition = message.topic(), message.partition()
    assert topic is not None and partition is not None
    headers = tuple((str(name), _bytes(content)) for name, content in _headers(message))
    at = instant_of(milliseconds) if kind in TIMESTAMP_TYPES else None
    named = TIMESTAMP_TYPES.get(kind, "none")
    key, value = _bytes(message.key()), _bytes(message.value())
    return Record(topic, partition, Offset(_offset(message)), at, named, key, value, headers)


def _headers(message: Message) -> list[tuple[str, bytes | str | None]]:
    """As they were written, in order, names repeated: a reader never gets the mapping that a producer may give."""
    found = message.headers()
    assert not isinstance(found, dict)
    return list(found or ())


def _bytes(value: str | bytes | None) -> bytes | None:
    return value.encode() if isinstance(value, str) else value
