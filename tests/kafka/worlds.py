"""The two clusters that the contract suite runs on: the fake, and a real broker; one set of words for both."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Literal, Protocol

from confluent_kafka import Consumer, Producer
from confluent_kafka import TopicPartition as ClientPartition

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.logins import ADMIN, Login, Reachable
from devtools.kafka.members import GroupMember
from devtools.kafka.waiting import comes_true
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.port import OffsetAdmin, RecordReader
from kafkaconsole.kafka.records import open_reader
from kafkaconsole.kafka.values import Committed, ConnectionSettings, GroupId, GroupType, Offset, TopicPartition
from tests.fakes.kafka import FakeKafka

Kind = Literal["classic", "consumer"]


def settings_for(kafka: Reachable, login: Login = ADMIN, listener: str | None = None) -> ConnectionSettings:
    """The console's connection settings for one of the local clusters' doors."""
    door = kafka.door(login, listener)
    sasl = door.protocol.startswith("SASL")
    read = (
        {name: (door.certificates / name).read_text() for name in ("ca.crt", "client.crt", "client.key")}
        if (door.certificates and door.protocol.endswith("SSL"))
        else {}
    )
    mutual = door.protocol == "SSL"
    return ConnectionSettings(
        bootstrap_servers=tuple(door.bootstrap_servers.split(",")),
        security_protocol=door.protocol,
        sasl_mechanism="SCRAM-SHA-512" if sasl else "",
        username=login.user if sasl else "",
        password=login.password if sasl else "",
        ca_pem=read.get("ca.crt", ""),
        certificate_pem=read.get("client.crt", "") if mutual else "",
        key_pem=read.get("client.key", "") if mutual else "",
        request_timeout_ms=8_000,
    )


class World(Protocol):
    """What the outside world does to a cluster, and the console's two ways in."""

    def add_topic(self, name: str, partitions: int = 1, configs: Mapping[str, str] | None = None) -> None: ...

    def remove_topic(self, name: str) -> None: ...

    def produce(self, topic: str, *values: bytes | None, partition: int = 0, at: Sequence[datetime] = ()) -> None: ...

    def delete_records(self, topic: str, before: int) -> None: ...

    def transaction(self, topic: str, *values: bytes) -> AbstractContextManager[None]:
        """Records written in a transaction that is open inside the block and ends after it."""
        ...

    def member(
        self, group: str, topic: str, kind: Kind = "classic", instance_id: str | None = None
    ) -> AbstractContextManager[None]: ...

    def commit_by_hand(self, group: str, offsets: Mapping[TopicPartition, int]) -> None:
        """A consumer with manual assignment commits."""
        ...

    def admin(self) -> AbstractContextManager[OffsetAdmin]: ...

    def reader(self) -> AbstractContextManager[RecordReader]: ...


class FakeWorld:
    """The fake."""

    def __init__(self) -> None:
        self.kafka = FakeKafka()

    def add_topic(self, name: str, partitions: int = 1, configs: Mapping[str, str] | None = None) -> None:
        self.kafka.add_topic(name, partitions)
        topic = self.kafka.topic_map[name]
        topic.cleanup_policy = (configs or {}).get("cleanup.policy", topic.cleanup_policy)
        topic.timestamp_type = (configs or {}).get("message.timestamp.type", topic.timestamp_type)

    def remove_topic(self, name: str) -> None:
        self.kafka.remove_topic(name)

    def produce(self, topic: str, *values: bytes | None, partition: int = 0, at: Sequence[datetime] = ()) -> None:
        for place, value in enumerate(values):
            self.kafka.produce(topic, partition, value, at=at[place] if at else None)

    def delete_records(self, topic: str, before: int) -> None:
        self.kafka.delete_records(topic, 0, before=before)

    @contextmanager
    def transaction(self, topic: str, *values: bytes) -> Iterator[None]:
        self.kafka.open_transaction(topic, 0, at_offset=self.kafka.log(topic, 0).log_end)
        self.produce(topic, *values)
        yield
        self.kafka.end_transaction(topic, 0)

    @contextmanager
    def member(self, group: str, topic: str, kind: Kind = "classic", instance_id: str | None = None) -> Iterator[None]:
        member = self.kafka.join(
            group, client_id="member", topics=[topic], type=GroupType(kind), instance_id=instance_id
        )
        yield
        self.kafka.leave(group, member.client_id)

    def commit_by_hand(self, group: str, offsets: Mapping[TopicPartition, int]) -> None:
        self.kafka.set_committed(group, {of: Committed(Offset(offset)) for of, offset in offsets.items()})

    def admin(self) -> AbstractContextManager[OffsetAdmin]:
        return self.kafka.connect(1)

    def reader(self) -> AbstractContextManager[RecordReader]:
        return self.kafka.connect_records(1)


class RealWorld:
    """A real broker, touched by clients of other kinds than the ones under test where there are any."""

    def __init__(self, kafka: LocalKafka) -> None:
        self.kafka = kafka

    def add_topic(self, name: str, partitions: int = 1, configs: Mapping[str, str] | None = None) -> None:
        topics.create_topic(self.kafka, name, partitions=partitions, configs=configs)

    def remove_topic(self, name: str) -> None:
        topics.delete_topic(self.kafka, name)

    def produce(self, topic: str, *values: bytes | None, partition: int = 0, at: Sequence[datetime] = ()) -> None:
        records = [
            topics.Record(value, partition=partition, at=at[place] if at else None)
            for place, value in enumerate(values)
        ]
        topics.produce(self.kafka, topic, records)

    def delete_records(self, topic: str, before: int) -> None:
        topics.delete_records(self.kafka, topic, before={0: before})

    @contextmanager
    def transaction(self, topic: str, *values: bytes) -> Iterator[None]:
        producer = Producer({**self.kafka.client_settings(), "transactional.id": f"of-{topic}"})
        producer.init_transactions(30)
        producer.begin_transaction()
        for value in values:
            producer.produce(topic, value, partition=0)
        assert producer.flush(30) == 0
        yield
        end = topics.log_bounds(self.kafka, topic)[0][1]
        producer.commit_transaction(30)
        # Brokers write the marker a moment after they have answered.
        assert comes_true(lambda: topics.log_bounds(self.kafka, topic)[0][1] > end, limit=20)

    @contextmanager
    def member(self, group: str, topic: str, kind: Kind = "classic", instance_id: str | None = None) -> Iterator[None]:
        with GroupMember(
            self.kafka, group, topics=[topic], group_protocol=kind, client_id="member", instance_id=instance_id
        ):
            yield

    def commit_by_hand(self, group: str, offsets: Mapping[TopicPartition, int]) -> None:
        consumer = Consumer({**self.kafka.client_settings(), "group.id": group, "enable.auto.commit": False})
        with contextlib.closing(consumer):
            named = [ClientPartition(of.topic, of.partition, offset) for of, offset in offsets.items()]
            consumer.commit(offsets=named, asynchronous=False)

    def admin(self) -> AbstractContextManager[OffsetAdmin]:
        return open_admin(settings_for(self.kafka))

    def reader(self) -> AbstractContextManager[RecordReader]:
        return open_reader(settings_for(self.kafka))


def group_id(name: str) -> GroupId:
    """A group's name as the port wants it."""
    return GroupId(name)
