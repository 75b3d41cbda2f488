"""What is checked before a write leaves the console: brokers store any number, even -1 (kafka-facts 5.9)."""

from __future__ import annotations

from kafkaconsole.kafka.errors import InvalidWrite
from kafkaconsole.kafka.values import (
    MAX_METADATA_LENGTH,
    MAX_OFFSET,
    RESETTABLE_TYPES,
    Committed,
    GroupDescription,
    GroupId,
    GroupState,
    Problem,
    ProblemKind,
    TopicPartition,
)
from kafkaconsole.words import words

CONSUMER_PROTOCOLS = frozenset({"", "consumer"})


def check_target(group: GroupId, of: TopicPartition, target: Committed) -> None:
    """Refuse an offset outside 0 … 2⁶³−1, a negative leader epoch and metadata that brokers do not keep."""
    if not 0 <= target.offset <= MAX_OFFSET:
        raise InvalidWrite(
            group=group,
            partition=str(of),
            field="offset",
            found=target.offset,
            expected=words("0 to {most}", most=MAX_OFFSET),
        )
    if target.leader_epoch is not None and target.leader_epoch < 0:
        raise InvalidWrite(
            group=group,
            partition=str(of),
            field="leader_epoch",
            found=target.leader_epoch,
            expected=words("0 or more, or none"),
        )
    if len(target.metadata) > MAX_METADATA_LENGTH:
        raise InvalidWrite(
            group=group,
            partition=str(of),
            field="metadata",
            found=words("{count} characters", count=len(target.metadata)),
            expected=words("at most {most} characters", most=MAX_METADATA_LENGTH),
        )


def problem_of_group(described: GroupDescription | Problem, *, may_create: bool) -> Problem | None:
    """Why the offsets of this group may not be written now; None if they may.

    Only unused consumer groups (classic or KIP-848) are written; brokers would also write Connect and streams groups.
    """
    if isinstance(described, Problem):
        return described
    if described.state is GroupState.MISSING:
        return None if may_create else Problem(ProblemKind.NOT_FOUND, "GROUP_ID_NOT_FOUND")
    if described.type not in RESETTABLE_TYPES or described.protocol_type not in CONSUMER_PROTOCOLS:
        kind = f"{described.type} group, protocol type {described.protocol_type!r}"
        return Problem(ProblemKind.WRONG_KIND, "", detail=kind)
    if not described.is_unused:
        return Problem(ProblemKind.ACTIVE_MEMBERS, "UNKNOWN_MEMBER_ID", detail=f"state {described.state}")
    return None
