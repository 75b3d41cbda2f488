"""The state of an in-memory Kafka cluster, and the builders with which tests set its scene."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from kafkaconsole.kafka.values import (
    Committed,
    GroupId,
    GroupState,
    GroupType,
    Member,
    Offset,
    Record,
    SessionTimeout,
    TopicPartition,
)


def new_topic_id() -> str:
    """A fresh id in Kafka's own text form: url-safe base64 of 16 bytes, without padding."""
    return base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()


def to_the_millisecond(instant: datetime) -> datetime:
    """Kafka keeps whole milliseconds; what is finer is cut off."""
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


@dataclass(slots=True)
class FakePartition:
    """One log. `entries` keeps deleted records as well: the broker's max-timestamp lookup still knows them."""

    entries: dict[int, Record] = field(default_factory=dict)
    markers: set[int] = field(default_factory=set)
    log_start: int = 0
    log_end: int = 0
    last_stable: int | None = None
    has_leader: bool = True

    def readable(self) -> list[Record]:
        """Records from log start on, markers included, in offset order."""
        return [self.entries[at] for at in sorted(self.entries) if self.log_start <= at < self.log_end]


@dataclass(slots=True)
class FakeTopic:
    """A topic and its logs by partition number."""

    topic_id: str
    partitions: dict[int, FakePartition]
    internal: bool = False
    cleanup_policy: str = "delete"
    timestamp_type: str = "CreateTime"


@dataclass(slots=True)
class FakeGroup:
    """A group of any kind with what was committed in its name."""

    type: GroupType = GroupType.CLASSIC
    state: GroupState = GroupState.EMPTY
    protocol_type: str = ""
    assignor: str = ""
    members: dict[str, Member] = field(default_factory=dict)
    subscribed: set[str] = field(default_factory=set)
    committed: dict[TopicPartition, Committed] = field(default_factory=dict)


PROTOCOL_TYPES = {
    GroupType.CLASSIC: "consumer",
    GroupType.CONSUMER: "consumer",
    GroupType.SHARE: "share",
    GroupType.STREAMS: "streams",
    GroupType.CONNECT: "connect",
}


class FakeCluster:
    """Topics, records and groups; the methods here are what the outside world (not the console) does to a cluster."""

    def __init__(self, cluster_id: str = "fake-cluster", brokers: tuple[str, ...] = ("kafka-1:9092",)) -> None:
        self.cluster_id = cluster_id
        self.brokers = brokers
        self.topic_map: dict[str, FakeTopic] = {}
        self.groups: dict[GroupId, FakeGroup] = {}
        self.retention = timedelta(days=7)
        self.operations: dict[str, frozenset[str]] = {}  # by a group's or a topic's name; the others are not told
        self.sessions = (SessionTimeout(timedelta(minutes=30), False), SessionTimeout(timedelta(seconds=45), True))

    def add_topic(self, topic: str, partitions: int = 1, *, internal: bool = False) -> str:
        """Make an empty topic; its id is returned. The same name again is another topic: another id, no commits."""
        self.remove_topic(topic)
        logs = {number: FakePartition() for number in range(partitions)}
        self.topic_map[topic] = FakeTopic(new_topic_id(), logs, internal)
        return self.topic_map[topic].topic_id

    def add_partitions(self, topic: str, total: int) -> None:
        """Let a topic grow to `total` partitions."""
        logs = self.topic_map[topic].partitions
        logs.update({number: FakePartition() for number in range(len(logs), total)})

    def remove_topic(self, topic: str) -> None:
        """Delete a topic if it is there; the broker then forgets the offsets committed on it."""
        self.topic_map.pop(topic, None)
        for group in self.groups.values():
            group.committed = {of: kept for of, kept in group.committed.items() if of.topic != topic}

    def log(self, topic: str, partition: int) -> FakePartition:
        """The log of one partition; KeyError if there is none."""
        return self.topic_map[topic].partitions[partition]

    def produce(
        self,
        topic: str,
        partition: int,
        value: bytes | None,
        *,
        at: datetime | None = None,
        key: bytes | None = None,
        headers: Sequence[tuple[str, bytes | None]] = (),
    ) -> Offset:
        """Append one record, stamped `at` or now, and return its offset."""
        log = self.log(topic, partition)
        offset = Offset(log.log_end)
        stamp = to_the_millisecond(at or datetime.now(UTC))
        log.entries[offset] = Record(topic, partition, offset, stamp, "create_time", key, value, tuple(headers))
        log.log_end += 1
        return offset

    def end_transaction(self, topic: str, partition: int, *, at: datetime | None = None) -> Offset:
        """Append a transaction marker: it takes an offset and a timestamp, and no reader ever sees it."""
        offset = self.produce(topic, partition, None, at=at)
        log = self.log(topic, partition)
        log.markers.add(offset)
        log.last_stable = None
        return offset

    def open_transaction(self, topic: str, partition: int, *, at_offset: int) -> None:
        """Hold the last stable offset at `at_offset` until `end_transaction`."""
        self.log(topic, partition).last_stable = at_offset

    def delete_records(self, topic: str, partition: int, *, before: int) -> None:
        """Move the log start, as retention or DeleteRecords does."""
        log = self.log(topic, partition)
        log.log_start = max(log.log_start, before)
        log.log_end = max(log.log_end, log.log_start)

    def compact(self, topic: str, partition: int, *, away: Sequence[int]) -> None:
        """Remove records at these offsets, leaving holes."""
        for offset in away:
            self.log(topic, partition).entries.pop(offset, None)

    def skip_to(self, topic: str, partition: int, offset: int) -> None:
        """Let the log end (and, in an empty log, its start) be at `offset` without writing records."""
        log = self.log(topic, partition)
        if not log.entries:
            log.log_start = offset
        log.log_end = offset

    def lose_leader(self, topic: str, partition: int) -> None:
        """The only replica's broker is away."""
        self.log(topic, partition).has_leader = False

    def regain_leader(self, topic: str, partition: int) -> None:
        """The replica's broker is back."""
        self.log(topic, partition).has_leader = True

    def group(self, name: str) -> FakeGroup:
        """The group of that name, made by a commit only if it is not there yet."""
        return self.groups.setdefault(GroupId(name), FakeGroup())

    def set_committed(self, name: str, offsets: Mapping[TopicPartition, Committed]) -> None:
        """What a member, or a consumer with manual assignment, committed: never checked, never counted as ours."""
        self.group(name).committed.update(offsets)

    def join(
        self,
        name: str,
        *,
        client_id: str = "consumer",
        host: str = "10.0.0.1",
        topics: Sequence[str] = (),
        type: GroupType = GroupType.CLASSIC,
        instance_id: str | None = None,
        assignor: str = "range",
    ) -> Member:
        """A member joins: the group is Stable, and its topics' partitions are dealt out among its members."""
        group = self.group(name)
        group.type, group.protocol_type, group.state = type, PROTOCOL_TYPES[type], GroupState.STABLE
        group.assignor = assignor
        group.subscribed.update(topics)
        member_id = f"{client_id}-{uuid.uuid4()}"
        group.members[member_id] = Member(member_id, client_id, host, instance_id, ())
        self._deal_out(group)
        return group.members[member_id]

    def leave(self, name: str, client_id: str | None = None) -> None:
        """Members (all, or those with the client id) leave; the last one leaves the group Empty."""
        group = self.group(name)
        gone = [key for key, member in group.members.items() if client_id in (None, member.client_id)]
        for key in gone:
            del group.members[key]
        if not group.members:
            group.state, group.subscribed = GroupState.EMPTY, set()
        self._deal_out(group)

    def remove_group(self, name: str) -> None:
        """The group is deleted or has expired."""
        self.groups.pop(GroupId(name), None)

    def _deal_out(self, group: FakeGroup) -> None:
        known = [topic for topic in sorted(group.subscribed) if topic in self.topic_map]
        every = [TopicPartition(topic, number) for topic in known for number in self.topic_map[topic].partitions]
        size = max(len(group.members), 1)
        for turn, (key, member) in enumerate(sorted(group.members.items())):
            share = tuple(every[turn::size])
            group.members[key] = Member(key, member.client_id, member.host, member.instance_id, share)
