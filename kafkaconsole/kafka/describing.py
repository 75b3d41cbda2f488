"""Descriptions of groups of every kind, in our words.

There is one describe call per kind, and each says "group id not found" of groups of another kind. So they are asked in
turn, each for the groups that the ones before did not know; a group that none knows, twice, is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kafka.protocol.admin import DescribeGroupsRequest
from kafka.protocol.consumer.metadata import ConsumerProtocolAssignment

from kafkaconsole.kafka.answers import problem_for
from kafkaconsole.kafka.messages import (
    ConsumerGroupDescribeRequest,
    ShareGroupDescribeRequest,
    StreamsGroupDescribeRequest,
)
from kafkaconsole.kafka.operations import operations_in
from kafkaconsole.kafka.values import (
    GroupDescription,
    GroupId,
    GroupState,
    GroupType,
    Member,
    Problem,
    ProblemKind,
    TopicPartition,
)
from kafkaconsole.kafka.wire import Wire

Answer = GroupDescription | Problem

COORDINATOR_CATCHES_UP_SECONDS = 1.2
"""A coordinator that has just taken over does not yet know of what was committed in the last second (kafka-facts 5.7)."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One describe call: how to ask, and how to read one group of its answer (None: not of this kind)."""

    request_for: Callable[[list[str]], Any]
    read: Callable[[Any], Answer | None]


async def describe(wire: Wire, groups: Sequence[GroupId], is_proof: bool = True) -> dict[GroupId, Answer]:
    """Every group's description or problem.

    What nobody knows is asked for a second time before it is called missing, unless no proof is wanted: the broker
    itself checks a write.
    """
    described = await _describe_once(wire, list(dict.fromkeys(groups)))
    unknown = [group for group in groups if group not in described]
    if unknown and is_proof:
        await wire.pause(COORDINATOR_CATCHES_UP_SECONDS)
        described |= await _describe_once(wire, unknown)
    missing = {group: GroupDescription(group, GroupType.UNKNOWN, GroupState.MISSING, "") for group in unknown}
    return {group: described.get(group) or missing[group] for group in groups}


async def _describe_once(wire: Wire, pending: list[GroupId]) -> dict[GroupId, Answer]:
    """Descriptions and problems; groups that no kind of group knows are absent."""
    described: dict[GroupId, Answer] = {}
    for kind in KINDS:
        if not pending:
            break
        found = await wire.ask_coordinators(pending, kind.request_for)
        for group in pending:
            answer = _read(kind, found[group])
            if answer is not None:
                described[group] = answer
        pending = [group for group in pending if group not in described]
    return described


def _read(kind: Kind, answer: Any | Problem) -> Answer | None:
    if isinstance(answer, Problem):
        not_offered = answer.kind is ProblemKind.UNSUPPORTED and kind is not CLASSIC
        return None if not_offered else answer  # a broker without the call has no groups of that kind
    problem = problem_for(answer.error_code, answer.error_message)
    if problem is None:
        read = kind.read(answer)
        known = operations_in(answer.authorized_operations)
        return replace(read, operations=known) if isinstance(read, GroupDescription) else read
    not_this_kind = problem.kafka_error in ("GROUP_ID_NOT_FOUND", "UNSUPPORTED_VERSION")
    return None if not_this_kind and not (kind is CLASSIC and problem.kind is ProblemKind.UNSUPPORTED) else problem


def state_of(text: str) -> GroupState:
    """Kafka's word for a state as ours; UNKNOWN for a word that is not known here."""
    try:
        return GroupState(text)
    except ValueError:
        return GroupState.UNKNOWN


def type_of(text: str, protocol_type: str) -> GroupType:
    """The kind of a listed or described group. Brokers before 3.8 name no type: they have classic groups alone.

    A classic group of another protocol is somebody else's: Connect's workers, or UNKNOWN (such as a schema registry).
    """
    if text.lower() in ("", GroupType.CLASSIC):
        if protocol_type == "connect":
            return GroupType.CONNECT
        return GroupType.CLASSIC if protocol_type in ("", "consumer") else GroupType.UNKNOWN
    try:
        return GroupType(text.lower())
    except ValueError:
        return GroupType.UNKNOWN


def _read_classic(group: Any) -> Answer | None:
    if group.group_state == GroupState.DEAD:
        return None  # what brokers before 4.0 say of a group that they do not know, or of another kind
    members = tuple(
        Member(
            one.member_id,
            one.client_id,
            one.client_host.lstrip("/"),
            one.group_instance_id,
            _assigned(one.member_assignment) if group.protocol_type == "consumer" else (),
        )
        for one in group.members
    )
    kind = type_of("classic", group.protocol_type)
    state = state_of(group.group_state)
    return GroupDescription(group.group_id, kind, state, group.protocol_type, members, group.protocol_data)


def _assigned(encoded: bytes) -> tuple[TopicPartition, ...]:
    """The partitions in a classic member's own bytes; empty while the group rebalances."""
    if not encoded:
        return ()
    assignment = ConsumerProtocolAssignment.decode(encoded)
    return tuple(
        TopicPartition(owned.topic, number) for owned in assignment.assigned_partitions for number in owned.partitions
    )


def _read_modern(kind: GroupType) -> Callable[[Any], Answer | None]:
    def read(group: Any) -> Answer:
        members = tuple(
            Member(
                one.member_id,
                one.client_id,
                one.client_host.lstrip("/"),
                getattr(one, "instance_id", None),
                _named(one.assignment.topic_partitions),
            )
            for one in group.members
        )
        protocol = "share" if kind is GroupType.SHARE else "consumer"
        return GroupDescription(
            group.group_id, kind, state_of(group.group_state), protocol, members, group.assignor_name
        )

    return read


def _named(assigned: Iterable[Any]) -> tuple[TopicPartition, ...]:
    return tuple(TopicPartition(topic.topic_name, number) for topic in assigned for number in topic.partitions)


def _read_streams(group: Any) -> Answer:
    subtopologies = (group.topology.subtopologies or ()) if group.topology else ()
    sources = {
        one.subtopology_id: [*one.source_topics, *(topic.name for topic in one.repartition_source_topics)]
        for one in subtopologies
    }
    members = tuple(
        Member(
            one.member_id,
            one.client_id,
            one.client_host.lstrip("/"),
            one.instance_id,
            _read_by(one.assignment.active_tasks, sources),
        )
        for one in group.members
    )
    return GroupDescription(group.group_id, GroupType.STREAMS, state_of(group.group_state), "streams", members)


def _read_by(tasks: Iterable[Any], sources: dict[str, list[str]]) -> tuple[TopicPartition, ...]:
    """A task of partition n reads partition n of each source topic of its subtopology."""
    return tuple(
        TopicPartition(topic, number)
        for task in tasks
        for topic in sources.get(task.subtopology_id, ())
        for number in task.partitions
    )


CLASSIC = Kind(lambda names: DescribeGroupsRequest(groups=names, include_authorized_operations=True), _read_classic)

KINDS = (
    CLASSIC,
    Kind(
        lambda names: ConsumerGroupDescribeRequest(group_ids=names, include_authorized_operations=True),
        _read_modern(GroupType.CONSUMER),
    ),
    Kind(lambda names: ShareGroupDescribeRequest(group_ids=names, min_version=1), _read_modern(GroupType.SHARE)),
    Kind(lambda names: StreamsGroupDescribeRequest(group_ids=names), _read_streams),
)
