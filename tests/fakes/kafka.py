"""An in-memory Kafka that answers the port as a real one does; `tests/kafka/` holds it to that.

What the broker does is in reset-semantics A.5, B.1 and H.1. Tests may also script single answers (`answer`), whole
failures (`fail`), lost and late writes (`lose_answers`), and things that happen just before a call (`before`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.values import (
    ClusterFacts,
    Committed,
    GroupDescription,
    GroupId,
    GroupListing,
    GroupState,
    GroupType,
    ListedGroup,
    Offset,
    OffsetBounds,
    Problem,
    ProblemKind,
    Record,
    RecordSpan,
    SessionTimeout,
    TimedOffset,
    TopicConfig,
    TopicFacts,
    TopicPartition,
    WriteAnswer,
    WriteOutcome,
)
from kafkaconsole.kafka.writes import check_target, problem_of_group
from tests.fakes.kafka_cluster import FakePartition
from tests.fakes.kafka_logs import around, first_at, latest
from tests.fakes.kafka_script import Answer, ScriptedCluster

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

UNKNOWN_PARTITION = Problem(ProblemKind.NOT_FOUND, "UNKNOWN_TOPIC_OR_PARTITION")
NO_LEADER = Problem(ProblemKind.NO_LEADER, "LEADER_NOT_AVAILABLE", passing=True)
BEFORE_EPOCH = Problem(ProblemKind.REFUSED, "", detail="Kafka has no timestamps before 1970")

TOO_LATE = Problem(ProblemKind.UNAVAILABLE, "REQUEST_TIMED_OUT", passing=True, detail="not sent: its time was over")

WRITTEN = WriteAnswer(WriteOutcome.WRITTEN)


@dataclass(frozen=True, slots=True)
class CommitMade:
    """One commit that reached the cluster, in the order of `FakeKafka.commits`."""

    group: GroupId
    targets: Mapping[TopicPartition, Committed]


@dataclass(frozen=True, slots=True)
class DeletionMade:
    """One deletion of offsets that reached the cluster."""

    group: GroupId
    of: frozenset[TopicPartition]


class FakeKafka(ScriptedCluster):
    """Implements `OffsetAdmin` and `RecordReader`; `connect` and `connect_records` serve as the two Connects.

    `commits` and `deletions` list the writes that reached the cluster, in order; `opened` and `closed` count blocks.
    """

    def __init__(self, cluster_id: str = "fake-cluster", brokers: tuple[str, ...] = ("kafka-1:9092",)) -> None:
        super().__init__(cluster_id, brokers)
        self.commits: list[CommitMade] = []
        self.deletions: list[DeletionMade] = []
        self.opened = 0
        self.closed = 0

    @contextmanager
    def connect(self, cluster_pk: int) -> Iterator[FakeKafka]:
        """A `Connect`: the same cluster whatever the id; opens and closes are counted."""
        self.enter("connect")
        self.opened += 1
        try:
            yield self
        finally:
            self.closed += 1

    @contextmanager
    def connect_records(self, cluster_pk: int) -> Iterator[FakeKafka]:
        """A `ConnectRecords`, counted like `connect`."""
        with self.connect(cluster_pk) as reader:
            yield reader

    # The port: groups and offsets.

    def describe_cluster(self) -> ClusterFacts:
        self.enter("describe_cluster")
        return ClusterFacts(self.cluster_id, self.brokers)

    def list_groups(self) -> GroupListing:
        self.enter("list_groups")
        dictated = self.dictated("list_groups")
        rows = [
            ListedGroup(name, group.type, group.state, group.protocol_type)
            for name, group in sorted(self.groups.items())
            if name not in dictated
        ]
        problems = {str(broker): answer for broker, answer in dictated.items() if isinstance(answer, Problem)}
        return GroupListing(tuple(rows), problems)

    def describe_groups(self, groups: Collection[GroupId]) -> dict[GroupId, GroupDescription | Problem]:
        self.enter("describe_groups")
        return {name: self.scripted("describe_groups", name, self._describe) for name in groups}

    def committed(
        self, groups: Collection[GroupId]
    ) -> dict[GroupId, Mapping[TopicPartition, Committed | Problem] | Problem]:
        self.enter("committed")
        found = {name: self.scripted("committed", name, self._committed) for name in groups}
        self.reading_done()
        return found

    def committed_of(
        self, group: GroupId, of: Collection[TopicPartition]
    ) -> dict[TopicPartition, Committed | None | Problem]:
        self.enter("committed_of")
        held = self._offsets(group)

        def held_at(one: TopicPartition) -> Committed | None | Problem:
            return held.get(one)

        found = {one: self.scripted("committed_of", one, held_at) for one in of}
        self.reading_done()
        return found

    def topics(self, names: Collection[str] | None = None) -> dict[str, TopicFacts | Problem]:
        self.enter("topics")
        wanted = self.topic_map if names is None else names
        return {name: self.scripted("topics", name, self._topic) for name in wanted}

    def topic_configs(self, names: Collection[str]) -> dict[str, TopicConfig | Problem]:
        self.enter("topic_configs")
        return {name: self.scripted("topic_configs", name, self._config) for name in names}

    def offsets_retention(self) -> timedelta | Problem:
        self.enter("offsets_retention")
        return self.scripted("offsets_retention", "", lambda _: self.retention)

    def session_timeout(self, group: GroupDescription) -> SessionTimeout | Problem:
        self.enter("session_timeout")
        return self.scripted("session_timeout", group.group, lambda _: self.sessions[group.type is GroupType.CONSUMER])

    def bounds(
        self, of: Collection[TopicPartition], *, last_stable: bool = True
    ) -> dict[TopicPartition, OffsetBounds | Problem]:
        self.enter("bounds")

        def of_log(log: FakePartition) -> OffsetBounds:
            stable = log.log_end if log.last_stable is None else log.last_stable
            return OffsetBounds(Offset(log.log_start), Offset(log.log_end), Offset(stable) if last_stable else None)

        return {one: self.scripted("bounds", one, lambda key: self._at_leader(key, of_log)) for one in of}

    def offsets_at(
        self, instants: Mapping[TopicPartition, datetime]
    ) -> dict[TopicPartition, TimedOffset | None | Problem]:
        self.enter("offsets_at")

        def first_of(key: TopicPartition) -> TimedOffset | None | Problem:
            instant = instants[key]
            return BEFORE_EPOCH if instant < EPOCH else self._at_leader(key, lambda log: first_at(log, instant))

        return {one: self.scripted("offsets_at", one, first_of) for one in instants}

    def max_timestamps(self, of: Collection[TopicPartition]) -> dict[TopicPartition, TimedOffset | None | Problem]:
        self.enter("max_timestamps")
        return {one: self.scripted("max_timestamps", one, lambda key: self._at_leader(key, latest)) for one in of}

    def commit(
        self, group: GroupId, targets: Mapping[TopicPartition, Committed], *, until: datetime | None = None
    ) -> dict[TopicPartition, WriteAnswer]:
        self.enter("commit")
        for of, target in targets.items():
            check_target(group, of, target)
        if not targets:
            return {}
        answers = self._answers_to_write("commit", group, targets, until)
        accepted = {of: targets[of] for of, answer in answers.items() if answer is WRITTEN}

        def apply() -> None:
            if not accepted:
                return
            self.group(group).committed.update(accepted)
            self.commits.append(CommitMade(group, accepted))

        return self.write(answers, apply)

    def delete_offsets(
        self, group: GroupId, of: Collection[TopicPartition], *, until: datetime | None = None
    ) -> dict[TopicPartition, WriteAnswer]:
        self.enter("delete_offsets")
        if not of:
            return {}
        answers = self._answers_to_write("delete_offsets", group, of, until)
        accepted = frozenset(one for one, answer in answers.items() if answer is WRITTEN)

        def apply() -> None:
            if not accepted:
                return
            for one in accepted:
                self.groups[group].committed.pop(one, None)
            self.deletions.append(DeletionMade(group, accepted))

        return self.write(answers, apply)

    # The port: records.

    def read(self, spans: Sequence[RecordSpan], *, time_limit: timedelta) -> Iterator[Record]:
        self.enter("read")
        for span in spans:
            log = self._log_to_read(span.of)
            stop = min(span.stop, log.log_end)
            for record in log.readable():
                if span.start <= record.offset < stop and record.offset not in log.markers:
                    yield record

    def times_around(
        self, offsets: Mapping[TopicPartition, Offset], *, reach: int, time_limit: timedelta
    ) -> dict[TopicPartition, tuple[TimedOffset, ...]]:
        self.enter("times_around")
        return {of: around(self._log_to_read(of), offset, reach) for of, offset in offsets.items()}

    # Inside the broker.

    def _describe(self, name: GroupId) -> GroupDescription | Problem:
        group = self.groups.get(name)
        if group is None:
            return GroupDescription(name, GroupType.UNKNOWN, GroupState.MISSING, "")
        may = self.operations.get(name)
        members = tuple(group.members.values())
        assignor = group.assignor if members else ""
        return GroupDescription(name, group.type, group.state, group.protocol_type, members, assignor, may)

    def _offsets(self, name: GroupId) -> dict[TopicPartition, Committed]:
        """Nothing, without an error, for a group that is missing and for share and Connect groups."""
        group = self.groups.get(name)
        return dict(group.committed) if group and group.type not in (GroupType.SHARE, GroupType.CONNECT) else {}

    def _committed(self, name: GroupId) -> Mapping[TopicPartition, Committed | Problem] | Problem:
        return self._offsets(name)

    def _topic(self, name: str) -> TopicFacts | Problem:
        topic = self.topic_map.get(name)
        if topic is None:
            return UNKNOWN_PARTITION
        leaders = {number: log.has_leader for number, log in topic.partitions.items()}
        return TopicFacts(name, topic.topic_id, leaders, topic.internal, self.operations.get(name))

    def _config(self, name: str) -> TopicConfig | Problem:
        topic = self.topic_map.get(name)
        if topic is None:
            return UNKNOWN_PARTITION
        return TopicConfig(frozenset(topic.cleanup_policy.split(",")), topic.timestamp_type)

    def _find_log(self, of: TopicPartition) -> FakePartition | None:
        topic = self.topic_map.get(of.topic)
        return topic.partitions.get(of.partition) if topic else None

    def _at_leader(self, of: TopicPartition, answer: Callable[[FakePartition], Answer]) -> Answer | Problem:
        log = self._find_log(of)
        if log is None:
            return UNKNOWN_PARTITION
        return answer(log) if log.has_leader else NO_LEADER

    def _log_to_read(self, of: TopicPartition) -> FakePartition:
        log = self._find_log(of)
        if log is None:
            raise KafkaRefused(reason="partition_not_found", topic=of.topic, partition=of.partition)
        if not log.has_leader:
            raise KafkaUnavailable(reason="no_leader", topic=of.topic, partition=of.partition)
        return log

    def _answers_to_write(
        self, call: str, name: GroupId, of: Collection[TopicPartition], until: datetime | None
    ) -> dict[TopicPartition, WriteAnswer]:
        """The broker's checks in its order (reset-semantics B.1), after the adapter's own: the group's kind, the time."""
        whole = problem_of_group(self._describe(name), may_create=call == "commit")
        if whole is None and until is not None and datetime.now(UTC) >= until:
            whole = TOO_LATE
        return {one: self.scripted(call, one, lambda key: self._answer_to_write(key, whole)) for one in of}

    def _answer_to_write(self, of: TopicPartition, whole: Problem | None) -> WriteAnswer:
        problem = whole or (UNKNOWN_PARTITION if self._find_log(of) is None else None)
        return WriteAnswer(WriteOutcome.NOT_WRITTEN, problem) if problem else WRITTEN
