"""The plan: a line per partition, frozen and signed by its digest. Plain values, names as in the HTTP API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from kafkaconsole.kafka.values import Committed, GroupId, GroupState, GroupType, Member, Offset, TopicPartition


class Action(StrEnum):
    """What a line does to its partition."""

    SET = "set"
    LEAVE = "leave"
    DELETE = "delete"
    REFUSE = "refuse"


class Why(StrEnum):
    """The rule that decided a line, where one did."""

    CLAMPED_TO_LOG_START = "clamped_to_log_start"
    CLAMPED_TO_LOG_END = "clamped_to_log_end"
    OUT_OF_RANGE = "out_of_range"
    NO_COMMIT = "no_commit"
    NO_RECORD_AFTER = "no_record_after"
    PARTITION_EMPTY = "partition_empty"
    NO_RECORD_AFTER_UNCERTAIN = "no_record_after_uncertain"
    NO_LEADER = "no_leader"
    NOT_AUTHORIZED = "not_authorized"
    UNKNOWN_PARTITION = "unknown_partition"
    UNAVAILABLE = "unavailable"
    NOT_IN_SOURCE = "not_in_source"
    NO_COMMIT_THEN = "no_commit_then"
    NOT_IN_SNAPSHOT = "not_in_snapshot"
    NOT_KNOWN_THEN = "not_known_then"
    TOPIC_MADE_AGAIN = "topic_made_again"


@dataclass(frozen=True, slots=True)
class PlanWarning:
    """Something approvers must know; `code` finds the sentence, `facts` fill it."""

    code: str
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """One partition of a plan.

    `wanted` is what the strategy asks for before bounds; it may lie outside the log, even below 0.
    `target` is what will be committed, None for leave, delete and refuse. `replayed` and `skipped` count offsets,
    from where the group would really go on (its commit, moved into the log); None without a commit or a target.
    `metadata` is any text the committer chose: clients built on librdkafka end it with a NUL character.
    `put_back` is the whole commit that is put back, text and epoch too; None where the group's own text stays.
    """

    of: TopicPartition
    topic_id: str
    log_start: Offset | None
    log_end: Offset | None
    last_stable: Offset | None
    committed: Offset | None
    metadata: str
    leader_epoch: int | None
    wanted: int | None
    target: Offset | None
    action: Action
    why: Why | None
    replayed: int | None
    skipped: int | None
    record_at: datetime | None = None
    record_before_at: datetime | None = None
    put_back: Committed | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the lines: how many partitions, how many change, offsets read again and never read."""

    partitions: int
    changed: int
    replayed: int
    skipped: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A computed plan. `digest` is SHA-256 hex over its canonical form (see `digest.digest_of`)."""

    digest: str
    planned_at: datetime
    cluster_id: str
    group: GroupId
    group_type: GroupType
    group_state: GroupState
    members: tuple[Member, ...]
    resolved_instant: datetime | None
    totals: Totals
    warnings: tuple[PlanWarning, ...]
    command: str | None
    lines: tuple[Line, ...]

    @property
    def refused(self) -> bool:
        """One refuse line refuses the plan: no request can be made of it."""
        return any(line.action is Action.REFUSE for line in self.lines)
