"""Kafka's things in our words: plain values that cross every boundary of the console.

Offsets here are never negative: Kafka's sentinels (-1, -2, -1001) end in the adapter, "none" is `None`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, NewType

GroupId = NewType("GroupId", str)
Offset = NewType("Offset", int)

MAX_OFFSET = 2**63 - 1
MAX_METADATA_LENGTH = 4096  # characters, the brokers' default `offset.metadata.max.bytes`
LONGEST_GROUP_NAME = 512
"""Characters of a consumer group's name that this console takes, everywhere. Kafka names no number of its own: a name
needs only fit its wire format and the key of a record (a topic's name, in contrast, ends at 249)."""


class TopicPartition(NamedTuple):
    """One partition of one topic. A tuple, because it is the key of every mapping: a plan hashes it 500,000 times."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


class GroupType(StrEnum):
    """The kind of a group as the broker names it, with Connect workers told apart by their protocol type."""

    CLASSIC = "classic"
    CONSUMER = "consumer"
    SHARE = "share"
    STREAMS = "streams"
    CONNECT = "connect"
    UNKNOWN = "unknown"


RESETTABLE_TYPES = frozenset({GroupType.CLASSIC, GroupType.CONSUMER})


class GroupState(StrEnum):
    """A group's state as Kafka names it. MISSING means: proven not to exist."""

    EMPTY = "Empty"
    STABLE = "Stable"
    PREPARING_REBALANCE = "PreparingRebalance"
    COMPLETING_REBALANCE = "CompletingRebalance"
    ASSIGNING = "Assigning"
    RECONCILING = "Reconciling"
    NOT_READY = "NotReady"
    DEAD = "Dead"
    MISSING = "Missing"
    UNKNOWN = "Unknown"


class ProblemKind(StrEnum):
    """Why Kafka did not answer for one thing asked."""

    NOT_AUTHORIZED = "not_authorized"
    NOT_FOUND = "not_found"
    NO_LEADER = "no_leader"
    ACTIVE_MEMBERS = "active_members"
    WRONG_KIND = "wrong_kind"
    REFUSED = "refused"
    UNAVAILABLE = "unavailable"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Problem:
    """One answer that is an error: its kind, Kafka's own name for it, and whether asking later may help."""

    kind: ProblemKind
    kafka_error: str
    passing: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """What a cluster says of itself: its id and the addresses of its live brokers."""

    cluster_id: str
    brokers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedGroup:
    """One row of a listing. A name that is missing from a listing is *not seen*, not *gone*."""

    group: GroupId
    type: GroupType
    state: GroupState
    protocol_type: str


@dataclass(frozen=True, slots=True)
class GroupListing:
    """A listing, and the brokers that did not answer (their groups are not in it)."""

    groups: tuple[ListedGroup, ...]
    problems: Mapping[str, Problem] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a group and the partitions it holds now."""

    member_id: str
    client_id: str
    host: str
    instance_id: str | None
    partitions: tuple[TopicPartition, ...]


@dataclass(frozen=True, slots=True)
class GroupDescription:
    """One group as its coordinator describes it; `state` MISSING when the coordinator says that it does not exist.

    `operations`: what the console may do with it, in Kafka's words; None where that is not told.
    """

    group: GroupId
    type: GroupType
    state: GroupState
    protocol_type: str
    members: tuple[Member, ...] = ()
    assignor: str = ""
    operations: frozenset[str] | None = field(default=None, compare=False)

    @property
    def is_unused(self) -> bool:
        """Whether nobody is in it: Empty, or Dead without a member, as some services call a group that has only commits.

        A broker that calls a group Dead while it removes it refuses a write by itself (reset-semantics B.1).
        """
        return self.state is GroupState.EMPTY or (self.state is GroupState.DEAD and not self.members)


@dataclass(frozen=True, slots=True)
class Committed:
    """A committed offset with what the committer stored beside it. `leader_epoch` None: not given."""

    offset: Offset
    metadata: str = ""
    leader_epoch: int | None = None


@dataclass(frozen=True, slots=True)
class TopicFacts:
    """A topic's id in Kafka's own text form, and per partition whether it has a leader."""

    topic: str
    topic_id: str
    has_leader: Mapping[int, bool]
    internal: bool = False
    operations: frozenset[str] | None = field(default=None, compare=False)  # what the console may do; None: not told


@dataclass(frozen=True, slots=True)
class TopicConfig:
    """Settings of a topic in Kafka's words: `delete` and/or `compact`; `CreateTime` or `LogAppendTime`."""

    cleanup_policy: frozenset[str]
    timestamp_type: str


@dataclass(frozen=True, slots=True)
class SessionTimeout:
    """How long a member that went away without leaving stays in its group: so long, or (`is_exact` false) at most."""

    length: timedelta
    is_exact: bool


@dataclass(frozen=True, slots=True)
class OffsetBounds:
    """log_start ≤ last_stable ≤ log_end (the high watermark), all of one moment."""

    log_start: Offset
    log_end: Offset
    last_stable: Offset | None = None


@dataclass(frozen=True, slots=True)
class TimedOffset:
    """A record's offset and its timestamp; `timestamp_type` as in `Record`, where the record itself was read."""

    offset: Offset
    at: datetime
    timestamp_type: str = field(default="", compare=False)


class WriteOutcome(StrEnum):
    """What is known of one partition after a write: unknown answers are settled by reading back (kafka-facts 5.11)."""

    WRITTEN = "written"
    NOT_WRITTEN = "not_written"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class WriteAnswer:
    """The broker's answer for one partition of a commit or a delete."""

    outcome: WriteOutcome
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One record as it lies in the log; key and value are bytes or None (a tombstone has no value)."""

    topic: str
    partition: int
    offset: Offset
    at: datetime | None
    timestamp_type: str
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()


@dataclass(frozen=True, slots=True)
class RecordSpan:
    """Offsets from `start` up to, not including, `stop` of one partition."""

    of: TopicPartition
    start: Offset
    stop: Offset


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """How to reach one cluster, in our words; both adapters translate it. Secrets are not shown by repr."""

    bootstrap_servers: tuple[str, ...]
    security_protocol: str = "PLAINTEXT"  # PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL
    sasl_mechanism: str = ""  # PLAIN, SCRAM-SHA-256, SCRAM-SHA-512
    username: str = ""
    password: str = field(default="", repr=False)
    ca_pem: str = field(default="", repr=False)
    certificate_pem: str = field(default="", repr=False)
    key_pem: str = field(default="", repr=False)
    check_hostname: bool = True
    request_timeout_ms: int = 15_000
