"""Builds scenarios on a real broker, cheaply: topics are made in lots, reused where their logs are the same, and deleted again."""

from __future__ import annotations

import uuid
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Self

from confluent_kafka import Producer
from kafka.protocol.consumer import OffsetCommitRequest
from kafka.protocol.consumer.group import JoinGroupRequest, LeaveGroupRequest

from devtools.kafka import admin, topics
from devtools.kafka.logins import Reachable
from devtools.kafka.waiting import comes_true
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.opening import open_wire
from kafkaconsole.kafka.port import OffsetAdmin
from kafkaconsole.kafka.values import OffsetBounds, TimedOffset, TopicPartition
from kafkaconsole.kafka.wire import Wire
from tests.differential.scenario import START, Batch, Ending, GroupKind, Log, Place, Scenario, Topic, letter
from tests.kafka.messages import ConsumerGroupHeartbeatRequest
from tests.kafka.raw_members import to_coordinator
from tests.kafka.worlds import settings_for

LOT = 8
"""So many topics of one size are made at once."""
MOST_TOPICS = 60
"""So many are kept; the broker of the tests is small."""
LIMIT_SECONDS = 30.0
SUBSCRIPTION = b"\x00\x00" + b"\x00\x00\x00\x00" + b"\xff\xff\xff\xff"
"""A classic consumer's metadata: version 0, no topics, no user data."""

COMPACTED: Topic = (
    Log((Batch((0, 1, 2, 3, 4)), Batch((9,))), kept=frozenset({3, 4, 5})),
    Log((Batch((5, 1, 7, 3)), Batch((9,))), kept=frozenset({2, 3, 4})),
)
"""What compaction leaves of these partitions: of every key the last record, and the segment that is written to."""
KEYS = ((b"aabab", b"c"), (b"aaab", b"c"))


@dataclass(frozen=True)
class Built:
    """A scenario as it stands on the broker: the names of its topics by place, and of its group."""

    names: dict[int, str]
    group: str

    def name(self, topic: int) -> str:
        """A topic's name; one that does not exist has a name too."""
        return self.names.get(topic, f"{self.group}-nowhere")

    def place(self, name: str, partition: int) -> Place:
        """What a partition on the broker is in the scenario."""
        return Place({one: topic for topic, one in self.names.items()}[name], partition)


@dataclass
class Ground:
    """One broker, and all that is needed to build on it."""

    kafka: Reachable
    admin: OffsetAdmin
    wire: Wire
    client: Any
    plain: Producer
    ending: Producer
    open: Producer
    _made: OrderedDict[Topic, str] = field(default_factory=OrderedDict)
    _spare: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    @contextmanager
    def on(cls, kafka: Reachable) -> Iterator[Self]:
        """The ground on a broker, with its clients open for the length of the block."""
        with ExitStack() as stack:
            settings = settings_for(kafka)
            yield cls(
                kafka=kafka,
                admin=stack.enter_context(open_admin(settings)),
                wire=stack.enter_context(open_wire(settings)),
                client=stack.enter_context(admin.opened(kafka.door())),
                plain=_producer(kafka),
                ending=_producer(kafka, transactional=True),
                open=_started(_producer(kafka, transactional=True)),
            )

    def build(self, scenario: Scenario) -> Built:
        """Make it true: the logs, the group, its commits."""
        names = {place: self._topic(topic) for place, topic in enumerate(scenario.topics)}
        built = Built(names, f"group-{uuid.uuid4().hex[:12]}")
        self._close_a_member(scenario.group, built)
        if scenario.commits:
            self._commit(built, scenario)
        return built

    # --- logs

    def _topic(self, topic: Topic) -> str:
        if topic not in self._made:
            if len(self._made) >= MOST_TOPICS:
                self._forget()
            self._made[topic] = self._compacted() if topic == COMPACTED else self._written(topic)
        self._made.move_to_end(topic)
        return self._made[topic]

    def _forget(self) -> None:
        """Delete the topics that were not used for the longest time."""
        kept = self._made.pop(COMPACTED, None)
        gone = [self._made.popitem(last=False)[1] for _ in range(MOST_TOPICS // 3)]
        self.client.delete_topics(gone)
        if kept is not None:
            self._made[COMPACTED] = kept

    def _written(self, topic: Topic) -> str:
        name = self._unwritten(len(topic))
        for turn in range(max((len(log.batches) for log in topic), default=0)):
            batches = {at: log.batches[turn] for at, log in enumerate(topic) if turn < len(log.batches)}
            for ending in Ending:
                self._write(name, {at: one for at, one in batches.items() if one.ending is ending}, ending)
            # A transaction's marker comes a moment after the answer; the next batch must lie behind it.
            self._wait_for_ends(name, [Log(log.batches[: turn + 1]).end for log in topic])
        deleted = {at: log.start for at, log in enumerate(topic) if log.start}
        if deleted:
            topics.delete_records(self.kafka, name, before=deleted)
        return name

    def _unwritten(self, size: int) -> str:
        spare = self._spare[size]
        if not spare:
            # The tool quotes names of more than 24 characters.
            spare += [f"{'differential-' * (size % 2)}{uuid.uuid4().hex[:12]}" for _ in range(LOT)]
            wanted = {"num_partitions": size, "replication_factor": 1}
            self.client.create_topics(dict.fromkeys(spare, wanted), wait_for_metadata=True)
        return spare.pop()

    def _write(self, name: str, batches: dict[int, Batch], ending: Ending) -> None:
        if not batches:
            return
        if ending in (Ending.PLAIN, Ending.OPEN):
            _produce(self.plain if ending is Ending.PLAIN else self.open, name, batches)
            return
        self.ending.begin_transaction()
        _produce(self.ending, name, batches)
        finish = self.ending.commit_transaction if ending is Ending.COMMITTED else self.ending.abort_transaction
        finish(LIMIT_SECONDS)

    def _wait_for_ends(self, name: str, ends: Sequence[int]) -> None:
        of = [TopicPartition(name, number) for number in range(len(ends))]

        def are_there() -> bool:
            found = self.admin.bounds(of, last_stable=False)
            return all(
                isinstance(bounds := found[one], OffsetBounds) and bounds.log_end == end
                for one, end in zip(of, ends, strict=True)
            )

        assert comes_true(are_there, limit=LIMIT_SECONDS, every=0.005), f"{name} did not come to {ends}"

    def _compacted(self) -> str:
        """A topic with holes. The segment that is written to is never compacted, so the last record starts one of its own."""
        name = f"differential-{uuid.uuid4().hex[:12]}"
        configs = {"cleanup.policy": "compact", "segment.ms": "50", "min.cleanable.dirty.ratio": "0.001"}
        topics.create_topic(self.kafka, name, partitions=len(COMPACTED), configs=configs)
        for partition, (log, keys) in enumerate(zip(COMPACTED, KEYS, strict=True)):
            for batch, keys_of_batch in zip(log.batches, keys, strict=True):
                for minute, key in zip(batch.minutes, keys_of_batch, strict=True):
                    record = topics.Record(
                        b"m", key=bytes([key]), partition=partition, at=START + timedelta(minutes=minute)
                    )
                    topics.produce(self.kafka, name, [record])
        assert comes_true(lambda: self._holes(name) == {0, 1}, limit=90), "nothing was compacted"
        return name

    def _holes(self, name: str) -> set[int]:
        """The partitions whose first record is the first that is kept: a look-up for the oldest time tells it."""
        found = self.admin.offsets_at({TopicPartition(name, number): START for number in range(len(COMPACTED))})
        firsts = {one.partition: at.offset for one, at in found.items() if isinstance(at, TimedOffset)}
        return {number for number, first in firsts.items() if first == min(COMPACTED[number].minutes())}

    # --- groups

    def _close_a_member(self, kind: GroupKind, built: Built) -> None:
        """Let one member come and go again."""
        if kind is GroupKind.CLASSIC:
            protocol = JoinGroupRequest.JoinGroupRequestProtocol(name="range", metadata=SUBSCRIPTION)
            join = JoinGroupRequest(
                group_id=built.group, session_timeout_ms=10_000, rebalance_timeout_ms=10_000, member_id="",
                protocol_type="consumer", protocols=[protocol], max_version=3,
            )  # fmt: skip
            joined = self._ask(built.group, join)
            self._ask(built.group, LeaveGroupRequest(group_id=built.group, member_id=joined.member_id, max_version=2))
        if kind is GroupKind.CONSUMER:
            member, topic = str(uuid.uuid4()), built.name(0)
            self._ask(built.group, _heartbeat(built.group, member, 0, topic))
            self._ask(built.group, _heartbeat(built.group, member, -1, topic))

    def _commit(self, built: Built, scenario: Scenario) -> None:
        by_topic = defaultdict(list)
        for of, offset in scenario.commits:
            row = OffsetCommitRequest.OffsetCommitRequestTopic.OffsetCommitRequestPartition(
                partition_index=of.partition, committed_offset=offset, committed_leader_epoch=-1, committed_metadata="",
            )  # fmt: skip
            by_topic[built.name(of.topic)].append(row)
        rows = [OffsetCommitRequest.OffsetCommitRequestTopic(name=name, partitions=of) for name, of in by_topic.items()]
        request = OffsetCommitRequest(
            group_id=built.group, generation_id_or_member_epoch=-1, member_id="", topics=rows, max_version=8
        )
        answer = self._ask(built.group, request)
        assert all(row.error_code == 0 for topic in answer.topics for row in topic.partitions), answer

    def _ask(self, group: str, request: Any) -> Any:
        answer = self.wire.run(to_coordinator, self.wire, group, request)
        assert getattr(answer, "error_code", 0) == 0, answer
        return answer


def _heartbeat(group: str, member: str, epoch: int, topic: str) -> Any:
    joins = epoch == 0
    return ConsumerGroupHeartbeatRequest(
        group_id=group,
        member_id=member,
        member_epoch=epoch,
        rebalance_timeout_ms=10_000 if joins else -1,
        subscribed_topic_names=[topic] if joins else None,
        topic_partitions=[] if joins else None,
    )


def _producer(kafka: Reachable, *, transactional: bool = False) -> Producer:
    settings: dict[str, Any] = {**kafka.client_settings(), "acks": "all", "linger.ms": "0", "log_level": "0"}
    if transactional:
        settings |= {"transactional.id": str(uuid.uuid4()), "transaction.timeout.ms": "900000"}
    producer = Producer(settings)
    if transactional:
        producer.init_transactions(LIMIT_SECONDS)
    return producer


def _started(producer: Producer) -> Producer:
    """With a transaction that stays open: all open transactions of all scenarios are this one."""
    producer.begin_transaction()
    return producer


def _produce(producer: Producer, name: str, batches: dict[int, Batch]) -> None:
    refused: list[Any] = []
    report: Callable[[Any, Any], None] = lambda error, _: refused.append(error) if error else None  # noqa: E731
    for partition, batch in batches.items():
        for minute in batch.minutes:
            at = topics.epoch_ms(START + timedelta(minutes=minute))
            producer.produce(name, value=b"m", partition=partition, timestamp=at, on_delivery=report)
    assert producer.flush(LIMIT_SECONDS) == 0 and not refused, refused


def told(scenario: Scenario) -> str:
    """The scenario for people: each partition with its bounds, times and commit, the group, and what is asked."""
    lines = []
    for topic, logs in enumerate(scenario.topics):
        for number, log in enumerate(logs):
            of = Place(topic, number)
            batches = " ".join(f"{batch.ending}{list(batch.minutes)}" for batch in log.batches)
            kept = "" if log.kept is None else f", compacted to {sorted(log.kept)}"
            lines.append(f"{of}: [{log.start},{log.end}) {batches}{kept}; committed {scenario.committed(of)}")
    scope = "all committed"
    if scenario.scope is not None:
        scope = ", ".join(
            letter(one.topic) + (":" + ",".join(map(str, one.partitions)) if one.partitions is not None else "")
            for one in scenario.scope
        )
    exists = (
        scenario.group if scenario.group_exists else "missing, " + ("created" if scenario.create else "not created")
    )
    return "\n".join([*lines, f"group: {exists}", f"scope: {scope}", f"wish: {scenario.wish}"])
