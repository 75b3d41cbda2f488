"""Groups, offsets and topics of one cluster through kafka-python: the adapter behind `OffsetAdmin`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import kafka.errors as kafka_errors
from kafka.protocol.admin import ListGroupsRequest
from kafka.protocol.consumer import OffsetCommitRequest, OffsetDeleteRequest, OffsetFetchRequest

from kafkaconsole.kafka import configs, describing, lookups
from kafkaconsole.kafka.answers import not_written, problem_for, problem_of_exception, unknown, write_answer_for
from kafkaconsole.kafka.opening import open_wire
from kafkaconsole.kafka.times import EPOCH, milliseconds_of
from kafkaconsole.kafka.topics import topic_facts
from kafkaconsole.kafka.values import (
    ClusterFacts,
    Committed,
    ConnectionSettings,
    GroupDescription,
    GroupId,
    GroupListing,
    ListedGroup,
    Offset,
    OffsetBounds,
    Problem,
    ProblemKind,
    SessionTimeout,
    TimedOffset,
    TopicConfig,
    TopicFacts,
    TopicPartition,
    WriteAnswer,
)
from kafkaconsole.kafka.wire import NotSent, Wire
from kafkaconsole.kafka.writes import check_target, problem_of_group

FETCH_VERSION = 8
"""OffsetFetch by topic names and for several groups at once (KIP-709): brokers since 3.0."""

BEFORE_EPOCH = Problem(ProblemKind.REFUSED, "", detail="Kafka has no timestamps before 1970")
LEFT_OUT = Problem(ProblemKind.UNAVAILABLE, "", passing=True, detail="the broker's answer left the partition out")
TOO_LATE = Problem(ProblemKind.UNAVAILABLE, "REQUEST_TIMED_OUT", passing=True, detail="not sent: its time was over")

CommittedOrProblem = Mapping[TopicPartition, Committed | Problem]


@contextmanager
def open_admin(settings: ConnectionSettings) -> Iterator[KafkaOffsetAdmin]:
    """A connected `OffsetAdmin` for the length of the block; nothing of it is left afterwards.

    Raises AuthenticationRefused, KafkaRefused or KafkaUnavailable with a `reason` (see `reasons`).
    """
    with open_wire(settings) as wire:
        yield KafkaOffsetAdmin(wire)


class KafkaOffsetAdmin:
    """Implements `OffsetAdmin` with own batched requests; see the port for what each call promises."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def describe_cluster(self) -> ClusterFacts:
        """The cluster's id and its live brokers, in the order of their ids."""
        answer = self._wire.run(self._wire.metadata, [])
        brokers = sorted(answer.brokers, key=lambda broker: broker.node_id)
        return ClusterFacts(answer.cluster_id or "", tuple(address(broker) for broker in brokers))

    def list_groups(self) -> GroupListing:
        """All visible groups of all kinds, and the brokers that did not answer."""
        return self._wire.run(self._list_groups)

    async def _list_groups(self) -> GroupListing:
        brokers = {broker.node_id: address(broker) for broker in (await self._wire.metadata([])).brokers}
        rows: dict[GroupId, ListedGroup] = {}
        problems: dict[str, Problem] = {}
        jobs = {node: [node] for node in brokers}
        for node, answer in await self._wire.ask_each(jobs, lambda _: ListGroupsRequest(min_version=4)):
            if isinstance(answer, Problem):
                problems[brokers[node]] = answer
                continue
            if (problem := problem_for(answer.error_code)) is not None:
                problems[brokers[node]] = problem
                continue
            for group in answer.groups:  # a group that has just moved may be listed by two brokers
                kind = describing.type_of(group.group_type or "", group.protocol_type)
                state = describing.state_of(group.group_state)
                rows[group.group_id] = ListedGroup(group.group_id, kind, state, group.protocol_type)
        return GroupListing(tuple(rows[name] for name in sorted(rows)), problems)

    def describe_groups(self, groups: Collection[GroupId]) -> dict[GroupId, GroupDescription | Problem]:
        """Each group as its coordinator describes it, whatever its kind."""
        return self._wire.run(describing.describe, self._wire, list(groups))

    def committed(self, groups: Collection[GroupId]) -> dict[GroupId, CommittedOrProblem | Problem]:
        """All committed offsets, in requests of many groups."""
        asked: list[GroupId] = list(dict.fromkeys(groups))

        def request_for(names: list[str]) -> Any:
            return _fetch_request({name: None for name in names})

        found = self._wire.run(self._wire.ask_coordinators, asked, request_for)
        return {group: _committed_in(found[group]) for group in asked}

    def committed_of(
        self, group: GroupId, of: Collection[TopicPartition]
    ) -> dict[TopicPartition, Committed | None | Problem]:
        """Committed offsets by name: a missing right shows as a problem of its partition."""
        if not of:
            return {}
        found = self._wire.run(
            self._wire.ask_coordinators, [group], lambda names: _fetch_request({name: of for name in names})
        )
        answer = _committed_in(found[group])
        if isinstance(answer, Problem):
            return dict.fromkeys(of, answer)
        return {one: answer.get(one) for one in of}

    def topics(self, names: Collection[str] | None = None) -> dict[str, TopicFacts | Problem]:
        """Named topics, or all visible ones; ids in the form in which Kafka's tools print them."""
        if names is not None and not names:
            return {}
        asked = None if names is None else list(dict.fromkeys(names))
        answer = self._wire.run(self._wire.metadata, asked, names is not None)
        facts = {topic.name: topic_facts(topic) for topic in answer.topics}
        wanted = sorted(facts) if names is None else names
        return {name: facts.get(name, lookups.UNKNOWN_PARTITION) for name in wanted}

    def topic_configs(self, names: Collection[str]) -> dict[str, TopicConfig | Problem]:
        """Clean-up and timestamps of each topic; what is not there, or not to be read, is a problem of its own."""
        return self._wire.run(configs.topic_configs, self._wire, list(dict.fromkeys(names))) if names else {}

    def offsets_retention(self) -> timedelta | Problem:
        """The brokers' `offsets.retention.minutes`."""
        return self._wire.run(configs.offsets_retention, self._wire)

    def session_timeout(self, group: GroupDescription) -> SessionTimeout | Problem:
        """The group's `consumer.session.timeout.ms`, or of a classic one the brokers' `group.max.session.timeout.ms`."""
        return self._wire.run(configs.session_timeout, self._wire, group)

    def bounds(
        self, of: Collection[TopicPartition], *, last_stable: bool = True
    ) -> dict[TopicPartition, OffsetBounds | Problem]:
        """Log start, last stable offset and log end (the high watermark) from the leaders."""
        return self._wire.run(lookups.bounds, self._wire, list(of), last_stable)

    def offsets_at(
        self, instants: Mapping[TopicPartition, datetime]
    ) -> dict[TopicPartition, TimedOffset | None | Problem]:
        """The broker's own lookup by time, with its one-segment blindness (reset-semantics A.5)."""
        queries = {one: milliseconds_of(at) for one, at in instants.items() if at >= EPOCH}
        found = self._wire.run(lookups.timed, self._wire, queries, 2) if queries else {}
        return {one: found.get(one, BEFORE_EPOCH) if one not in queries else found[one] for one in instants}

    def max_timestamps(self, of: Collection[TopicPartition]) -> dict[TopicPartition, TimedOffset | None | Problem]:
        """The broker's max-timestamp lookup (brokers since 3.0); it may name a deleted record."""
        queries = dict.fromkeys(of, lookups.MAX_TIMESTAMP)
        return self._wire.run(lookups.timed, self._wire, queries, lookups.VERSION_WITH_MAX_TIMESTAMP)

    def commit(
        self, group: GroupId, targets: Mapping[TopicPartition, Committed], *, until: datetime | None = None
    ) -> dict[TopicPartition, WriteAnswer]:
        """Write offsets into an Empty or missing consumer group. Raises InvalidWrite before anything is sent."""
        for one, target in targets.items():
            check_target(group, one, target)
        return self._write(group, list(targets), _commit_request(group, targets), may_create=True, until=until)

    def delete_offsets(
        self, group: GroupId, of: Collection[TopicPartition], *, until: datetime | None = None
    ) -> dict[TopicPartition, WriteAnswer]:
        """Remove committed offsets from an Empty consumer group."""
        return self._write(group, list(of), _delete_request(group, of), may_create=False, until=until)

    def _write(
        self, group: GroupId, of: Sequence[TopicPartition], request: Any, *, may_create: bool, until: datetime | None
    ) -> dict[TopicPartition, WriteAnswer]:
        """Ask who coordinates, send once, read every partition's answer. Never sent twice: see kafka-facts 5.12."""
        if not of:
            return {}
        described = self._wire.run(describing.describe, self._wire, [group], False)[group]
        problem = problem_of_group(described, may_create=may_create)
        if problem is not None:
            return dict.fromkeys(of, not_written(problem))
        answer = self._wire.run(self._send_write, group, request, until)
        if isinstance(answer, WriteAnswer):
            return dict.fromkeys(of, answer)
        answers = dict.fromkeys(of, unknown(LEFT_OUT))
        for topic in answer.topics:
            for partition in topic.partitions:
                one = TopicPartition(topic.name, partition.partition_index)
                answers[one] = write_answer_for(partition.error_code)
        return answers

    async def _send_write(self, group: GroupId, request: Any, until: datetime | None) -> Any | WriteAnswer:
        """The broker's answer, or one answer that holds for every partition."""
        by_node, failed = await self._wire.coordinators([group])
        if group in failed:
            return not_written(failed[group])
        if until is not None and datetime.now(UTC) >= until:
            return not_written(TOO_LATE)
        try:
            answer = await self._wire.ask(next(iter(by_node)), request)
        except NotSent as error:
            return not_written(error.problem)
        except kafka_errors.KafkaError as error:
            return unknown(problem_of_exception(error))
        whole = getattr(answer, "error_code", 0)
        return write_answer_for(whole) if whole else answer


def address(broker: Any) -> str:
    """A broker as host:port, an IPv6 host in brackets."""
    host = f"[{broker.host}]" if ":" in broker.host else broker.host
    return f"{host}:{broker.port}"


def _by_topic(of: Collection[TopicPartition]) -> dict[str, list[int]]:
    by_topic: dict[str, list[int]] = defaultdict(list)
    for one in of:
        by_topic[one.topic].append(one.partition)
    return by_topic


def _fetch_request(groups: Mapping[str, Collection[TopicPartition] | None]) -> Any:
    group_of = OffsetFetchRequest.OffsetFetchRequestGroup
    topic_of = group_of.OffsetFetchRequestTopics
    asked = [
        group_of(
            group_id=name,
            topics=None
            if of is None
            else [topic_of(name=topic, partition_indexes=some) for topic, some in _by_topic(of).items()],
        )
        for name, of in groups.items()
    ]
    return OffsetFetchRequest(groups=asked, min_version=FETCH_VERSION, max_version=FETCH_VERSION)


def _committed_in(answer: Any | Problem) -> CommittedOrProblem | Problem:
    """Offsets by partition; partitions without a commit (-1) are left out."""
    if isinstance(answer, Problem):
        return answer
    problem = problem_for(answer.error_code)
    if problem is not None:
        return {} if problem.kafka_error == "GROUP_ID_NOT_FOUND" else problem
    offsets: dict[TopicPartition, Committed | Problem] = {}
    for topic in answer.topics:
        for partition in topic.partitions:
            one = TopicPartition(topic.name, partition.partition_index)
            refused = problem_for(partition.error_code)
            if refused is not None:
                offsets[one] = refused
            elif partition.committed_offset >= 0:
                epoch = partition.committed_leader_epoch
                metadata = partition.metadata or ""
                offsets[one] = Committed(Offset(partition.committed_offset), metadata, epoch if epoch >= 0 else None)
    return offsets


def _commit_request(group: GroupId, targets: Mapping[TopicPartition, Committed]) -> Any:
    topic_of = OffsetCommitRequest.OffsetCommitRequestTopic
    by_topic: dict[str, list[Any]] = defaultdict(list)
    for one, target in targets.items():
        by_topic[one.topic].append(
            topic_of.OffsetCommitRequestPartition(
                partition_index=one.partition,
                committed_offset=target.offset,
                committed_leader_epoch=-1 if target.leader_epoch is None else target.leader_epoch,
                committed_metadata=target.metadata,
            )
        )
    topics = [topic_of(name=name, partitions=some) for name, some in by_topic.items()]
    return OffsetCommitRequest(
        group_id=group, generation_id_or_member_epoch=-1, member_id="", topics=topics, min_version=6, max_version=8
    )


def _delete_request(group: GroupId, of: Collection[TopicPartition]) -> Any:
    topic_of = OffsetDeleteRequest.OffsetDeleteRequestTopic
    partition_of = topic_of.OffsetDeleteRequestPartition
    topics = [
        topic_of(name=name, partitions=[partition_of(partition_index=number) for number in some])
        for name, some in _by_topic(of).items()
    ]
    return OffsetDeleteRequest(group_id=group, topics=topics)
