"""The connection test: does a cluster answer, and which of the console's rights are missing there. It writes nothing.

Rights are read from what brokers say that we are authorised to do (KIP-430), not by trying. Brokers say so of groups and
topics that exist and are visible, and never list an ACL (that needs DESCRIBE on the cluster's ACLs, which the console has
no use for). So a right that is given by name or prefix shows on the names that are there, as LIMITED, and not at all
while there is none (UNKNOWN).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from confluent_kafka import Consumer, KafkaException
from kafka.protocol.admin import DescribeClusterRequest, DescribeGroupsRequest, ListGroupsRequest
from kafka.protocol.consumer import HeartbeatRequest

from kafkaconsole.kafka.answers import problem_for
from kafkaconsole.kafka.client_settings import librdkafka_settings
from kafkaconsole.kafka.describing import type_of
from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable
from kafkaconsole.kafka.groups import address
from kafkaconsole.kafka.messages import ConsumerGroupDescribeRequest
from kafkaconsole.kafka.opening import open_wire
from kafkaconsole.kafka.reasons import error_for, is_final, reason_in
from kafkaconsole.kafka.records import READER_GROUP
from kafkaconsole.kafka.values import RESETTABLE_TYPES, ConnectionSettings, GroupType, Problem, ProblemKind
from kafkaconsole.kafka.wire import Wire
from kafkaconsole.words import phrase

PROBE_GROUP = "kafka-console-connection-test"
"""A group that nobody makes, to ask about where no group is visible."""

EVERY_GROUP = "groups"
EVERY_TOPIC = "topics"
CLUSTER = "cluster"

OPERATION_CODES = {"READ": 3, "DELETE": 6, "DESCRIBE": 8}
"""`AclOperation` codes as they stand in `authorized_operations` (READ and DELETE imply DESCRIBE)."""

NOT_TOLD = -(2**31)
LOOKED_AT = 100
NAMED = 5

GROUP_RIGHTS = {
    "DESCRIBE": phrase("seeing members and committed offsets"),
    "READ": phrase("committing offsets, that is every reset"),
    "DELETE": phrase("deleting committed offsets"),
}
TOPIC_RIGHTS = {
    "DESCRIBE": phrase("seeing partitions and log bounds; topics without it are left out without an error"),
    "READ": phrase("committing offsets on the topic and reading its records"),
}

NO_OPERATIONS: frozenset[int] = frozenset()


class RightState(StrEnum):
    """Whether the console's principal has a right: on all that was looked at, on some of it, on none of it; UNKNOWN when
    the cluster does not say, or there is nothing to ask of."""

    OK = "ok"
    LIMITED = "limited"
    MISSING = "missing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Right:
    """One right of the console's set, on the cluster, on groups, or on topics; `detail` completes a sentence."""

    operation: str
    resource: str
    state: RightState
    needed_for: str
    detail: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What a connection test found. Without `failure`, both clients reached the cluster.

    `failure` is a reason of `reasons` (`wrong_credentials` …) and `failure_detail` the client's own words for it.
    """

    cluster_id: str = ""
    brokers: tuple[str, ...] = ()
    rights: tuple[Right, ...] = ()
    failure: str = ""
    failure_detail: str = ""

    @property
    def missing(self) -> tuple[Right, ...]:
        """The rights that an administrator must still grant: optional ones are left out, and those that are there on
        some names, which may be all that the console is meant to have."""
        return tuple(right for right in self.rights if right.state is RightState.MISSING and not right.optional)

    @property
    def is_usable(self) -> bool:
        """Whether the console can work with the cluster."""
        return not self.failure and not self.missing


def probe(settings: ConnectionSettings, *, topics: Collection[str] = ()) -> ProbeReport:
    """Connect with both clients and look at the rights. `topics`: names to look at; none: some that are visible.

    Never raises for a cluster that does not answer: the report says why. Run it in a worker child.
    """
    try:
        with open_wire(settings) as wire:
            report: ProbeReport = wire.run(_look, wire, sorted(topics))
        _reach_with_the_reader(settings)
    except (KafkaRefused, KafkaUnavailable) as error:
        detail = str(error.facts.get("detail", ""))
        return ProbeReport(failure=str(error.facts.get("reason", "timed_out")), failure_detail=detail)
    return report


async def _look(wire: Wire, topics: list[str]) -> ProbeReport:
    cluster = await wire.ask_any(DescribeClusterRequest(include_cluster_authorized_operations=True))
    brokers = tuple(address(one) for one in sorted(cluster.brokers, key=lambda one: one.broker_id))
    rights = [
        _right(
            "DESCRIBE",
            CLUSTER,
            _has(cluster.authorized_operations, "DESCRIBE"),
            phrase("listing every group; without it groups that may not be described are hidden without an error"),
        )
    ]
    rights += await _group_rights(wire)
    rights += await _topic_rights(wire, topics)
    return ProbeReport(cluster.cluster_id, brokers, tuple(rights))


async def _group_rights(wire: Wire) -> list[Right]:
    """By the groups that are visible, up to a few; without any, by a group name that nobody uses."""
    names = await _visible_groups(wire)
    found = {name: operations async for name, operations in _operations_on(wire, names)}
    if not any(operations is not None for operations in found.values()):
        return await _rights_on_no_group(wire)
    rights = []
    for operation, needed_for in GROUP_RIGHTS.items():
        lacking = sorted(name for name, operations in found.items() if _has(operations, operation) is False)
        detail = _lacking_detail(lacking, len(found))
        right = _right(operation, EVERY_GROUP, not lacking, needed_for, detail, optional=operation == "DELETE")
        rights.append(_limited(right) if len(lacking) < len(found) else right)
    return rights


async def _visible_groups(wire: Wire) -> dict[bool, list[str]]:
    """Some classic groups (False) and KIP-848 groups (True) of whatever brokers answer."""
    names: dict[bool, list[str]] = {False: [], True: []}
    brokers = {broker.node_id: [broker.node_id] for broker in (await wire.metadata([])).brokers}
    for _, answer in await wire.ask_each(brokers, lambda _: ListGroupsRequest(min_version=4)):
        for group in () if isinstance(answer, Problem) else answer.groups:
            kind = type_of(group.group_type or "", group.protocol_type)
            if kind in RESETTABLE_TYPES:
                names[kind is GroupType.CONSUMER].append(group.group_id)
    return {modern: sorted(set(some))[:LOOKED_AT] for modern, some in names.items()}


async def _operations_on(wire: Wire, names: dict[bool, list[str]]) -> AsyncIterator[tuple[str, Set[int] | None]]:
    calls: dict[bool, Callable[[list[str]], Any]] = {
        False: lambda some: DescribeGroupsRequest(groups=some, include_authorized_operations=True),
        True: lambda some: ConsumerGroupDescribeRequest(group_ids=some, include_authorized_operations=True),
    }
    for modern, some in names.items():
        for name, answer in (await wire.ask_coordinators(some, calls[modern])).items() if some else ():
            yield name, _operations_in(answer)


def _operations_in(answer: Any | Problem) -> Set[int] | None:
    """What we may do with a described group; None if the cluster does not tell."""
    if isinstance(answer, Problem):
        return NO_OPERATIONS if answer.kind is ProblemKind.NOT_AUTHORIZED else None
    problem = problem_for(answer.error_code)
    if problem is not None:
        return NO_OPERATIONS if problem.kafka_error == "GROUP_AUTHORIZATION_FAILED" else None
    told = answer.authorized_operations
    if isinstance(told, int):  # our own messages give the bare bits, kafka-python's a set of codes
        return None if told == NOT_TOLD else {code for code in range(31) if told >> code & 1}
    return None if told is None else frozenset(told)


async def _rights_on_no_group(wire: Wire) -> list[Right]:
    """A heartbeat in the name of nobody changes nothing, and needs READ; being told "not authorised" needs no group.

    A refusal is about that one name: a right on other names, or on a prefix, would be refused just so.
    """
    detail = f"no group is visible, so the name {PROBE_GROUP} was asked about"
    refused = f"{detail} and refused; a right on other names shows once such a group exists"
    described = (await wire.ask_coordinators([PROBE_GROUP], lambda some: DescribeGroupsRequest(groups=some)))[
        PROBE_GROUP
    ]
    problem = described if isinstance(described, Problem) else problem_for(described.error_code)
    denied = problem is not None and problem.kind is ProblemKind.NOT_AUTHORIZED
    sees = None if problem is not None and problem.passing else not denied
    reads = False if denied else await _may_read(wire)
    return [
        _right(operation, EVERY_GROUP, has or None, GROUP_RIGHTS[operation], refused if has is False else detail)
        for operation, has in (("DESCRIBE", sees), ("READ", reads))
    ] + [
        _right("DELETE", EVERY_GROUP, None, GROUP_RIGHTS["DELETE"], "no group is visible to look at", optional=True),
    ]


async def _may_read(wire: Wire) -> bool | None:
    by_node, _ = await wire.coordinators([PROBE_GROUP])
    request = HeartbeatRequest(group_id=PROBE_GROUP, generation_id=-1, member_id="nobody")
    for _, answer in await wire.ask_each({node: [node] for node in by_node}, lambda _: request):
        problem = answer if isinstance(answer, Problem) else problem_for(answer.error_code)
        if problem is not None and not problem.passing:
            return problem.kind is not ProblemKind.NOT_AUTHORIZED
    return None


async def _topic_rights(wire: Wire, topics: list[str]) -> list[Right]:
    answer = await wire.metadata(topics or None, rights=True)
    looked_at = [topic for topic in answer.topics if topics or not topic.is_internal]
    denied = {topic.name: NO_OPERATIONS for topic in looked_at if _is_denied(topic)}
    allowed: dict[str, Set[int] | None] = denied | {
        topic.name: topic.authorized_operations for topic in looked_at if not topic.error_code
    }
    absent = [name for name in topics if name not in allowed]
    rights = []
    for operation, needed_for in TOPIC_RIGHTS.items():
        lacking = sorted(name for name, found in allowed.items() if _has(found, operation) is False)
        told = any(found is not None for found in allowed.values())
        detail = _lacking_detail(lacking, len(allowed)) or _absent_detail(absent, bool(allowed))
        right = _right(operation, EVERY_TOPIC, not lacking if told else None, needed_for, detail)
        rights.append(_limited(right) if not topics and len(lacking) < len(allowed) else right)
    return rights


def _limited(right: Right) -> Right:
    """The same right where it is missing on some names and there on others."""
    return replace(right, state=RightState.LIMITED) if right.state is RightState.MISSING else right


def _is_denied(topic: Any) -> bool:
    problem = problem_for(topic.error_code)
    return problem is not None and problem.kind is ProblemKind.NOT_AUTHORIZED


def _lacking_detail(lacking: Sequence[str], looked_at: int) -> str:
    if not lacking:
        return ""
    more = f" and {len(lacking) - NAMED} more" if len(lacking) > NAMED else ""
    return f"missing on {', '.join(lacking[:NAMED])}{more} ({len(lacking)} of {looked_at} looked at)"


def _absent_detail(absent: Sequence[str], any_seen: bool) -> str:
    if absent:
        return "no such topic: " + ", ".join(absent)
    return "" if any_seen else "no topic is visible, so there is none to look at"


def _has(operations: Set[int] | None, operation: str) -> bool | None:
    """Whether the operation is among them, itself or implied; None if the cluster did not say."""
    if operations is None:
        return None
    implying = ("READ", "DELETE") if operation == "DESCRIBE" else ()
    return any(OPERATION_CODES[name] in operations for name in (operation, *implying))


def _right(
    operation: str, resource: str, has: bool | None, needed_for: str, detail: str = "", *, optional: bool = False
) -> Right:
    state = RightState.UNKNOWN if has is None else RightState.OK if has else RightState.MISSING
    return Right(operation, resource, state, needed_for, detail, optional)


def _reach_with_the_reader(settings: ConnectionSettings) -> None:
    """The second client must reach the cluster as well; its reason comes to `error_cb`, in a poll."""
    overheard: list[str] = []
    configuration = librdkafka_settings(settings) | {
        "group.id": READER_GROUP,
        "error_cb": lambda error: overheard.append(f"{error.name()} {error.str()}"),
    }
    consumer = Consumer(configuration)
    try:
        consumer.list_topics(timeout=settings.request_timeout_ms / 1000)
    except KafkaException as error:
        consumer.poll(0)
        told = [(reason, text) for text in overheard if (reason := reason_in(text, settings))]
        reason, text = min(told, key=lambda one: not is_final(one[0]), default=("timed_out", str(error)))
        raise error_for(reason, settings, text) from error
    finally:
        consumer.close()
