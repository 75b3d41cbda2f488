"""What a plan is computed from: facts about the group and its partitions at one moment. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from kafkaconsole.kafka.values import (
    Committed,
    GroupDescription,
    OffsetBounds,
    Problem,
    TimedOffset,
    TopicPartition,
)


@dataclass(frozen=True, slots=True)
class PartitionFacts:
    """One partition: its topic's id, its bounds, the group's commit, and the look-ups that the strategy asked for.

    `found_at` is set only when the strategy resolves an instant: the broker's answer for it, None when it knows no
    record at or after the instant. `newest` is the record with the highest timestamp (it may already be deleted).
    `problem` says why a partition cannot be planned (no leader, not authorised, …); then `bounds` is None.
    """

    of: TopicPartition
    topic_id: str
    bounds: OffsetBounds | None
    committed: Committed | None
    found_at: TimedOffset | None = None
    newest: TimedOffset | None = None
    source: Committed | None = None  # the other group's commit, for copy_group
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything one plan needs, measured at `measured_at` on the cluster with id `cluster_id`.

    `near_names` resemble the group's name where no such group exists. `missing_topics` are those asked for by name
    that the cluster does not have, each with names that resemble it. `gone` are partitions that the group has a
    commit on although topic or partition do not exist any more; they cannot be planned and have no facts.
    """

    cluster_id: str
    measured_at: datetime
    group: GroupDescription
    partitions: tuple[PartitionFacts, ...]
    resolved_instant: datetime | None = None
    near_names: tuple[str, ...] = ()
    near_source_names: tuple[str, ...] = ()
    record_times: Mapping[TopicPartition, TimedOffset] = field(default_factory=dict)
    missing_topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    internal_topics: frozenset[str] = frozenset()
    gone: tuple[TopicPartition, ...] = ()
    source_group: GroupDescription | None = None  # the group that copy_group copies from
