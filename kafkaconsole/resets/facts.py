"""What a plan is computed from: facts about the group and its partitions at one moment. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from kafkaconsole.kafka.values import (
    Committed,
    GroupDescription,
    Offset,
    OffsetBounds,
    Problem,
    SessionTimeout,
    TimedOffset,
    TopicConfig,
    TopicPartition,
)


@dataclass(frozen=True, slots=True)
class Recall:
    """What the console's own records are asked for: the snapshot of an attempt, or the group as of an instant."""

    snapshot: int | None = None
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """What the group had committed earlier: at a snapshot (`attempt` is its id), or as the history read it.

    `offsets` holds None where the group is known to have had no commit; a partition that is not in it is not told of.
    `topic_ids` are those of that time. `not_known` names topics that the history cannot tell of, with the stretch
    (from, to; None: open) in which nobody looked. Of a history, `read_at` is the last reading before `at`, and
    `held_since` says since when each topic's offsets had held then. Of a snapshot, `written` is what the attempt
    set in its place.
    """

    at: datetime
    offsets: Mapping[TopicPartition, Committed | None]
    topic_ids: Mapping[str, str]
    attempt: int | None = None
    not_known: Mapping[str, tuple[datetime | None, datetime | None]] = field(default_factory=dict)
    read_at: datetime | None = None
    held_since: Mapping[str, datetime] = field(default_factory=dict)
    written: Mapping[TopicPartition, Offset | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the console's history has seen of the group and its topics lately; empty where nobody looked.

    `empty_since`: the group has been Empty at least since then. `moved_while_empty`: topics on which commits moved
    although it was, with the last reading that showed it. `topic_ids`: each topic's id when last seen; `made_again`:
    since when a topic has had another id than before. `partitions_before`: how many partitions a topic had, and when.
    `log_starts`: where logs began earlier, and when (its `at`).
    """

    empty_since: datetime | None = None
    moved_while_empty: Mapping[str, datetime] = field(default_factory=dict)
    topic_ids: Mapping[str, str] = field(default_factory=dict)
    made_again: Mapping[str, datetime] = field(default_factory=dict)
    partitions_before: Mapping[str, tuple[int, datetime]] = field(default_factory=dict)
    log_starts: Mapping[TopicPartition, TimedOffset] = field(default_factory=dict)


NOTHING_SEEN = Seen()


@dataclass(frozen=True, slots=True)
class PartitionFacts:
    """One partition: its topic's id, its bounds, the group's commit, and the look-ups that the strategy asked for.

    `found_at` is set only when the strategy resolves an instant: the broker's answer for it, None when it knows no
    record at or after the instant. `newest` is the record with the highest timestamp (it may already be deleted).
    `searched`: the records themselves were read for the instant, so `found_at` is the truth also where it is None.
    `problem` says why a partition cannot be planned (no leader, not authorised, …); then `bounds` is None.
    """

    of: TopicPartition
    topic_id: str
    bounds: OffsetBounds | None
    committed: Committed | None
    found_at: TimedOffset | None = None
    newest: TimedOffset | None = None
    searched: bool = False
    source: Committed | None = None  # the other group's commit for copy_group, the earlier one for restore
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything one plan needs, measured at `measured_at` on the cluster with id `cluster_id`.

    `near_names` resemble the group's name where no such group exists. `missing_topics` are those asked for by name
    that the cluster does not have, each with names that resemble it. `gone` are partitions that the group has a
    commit on although topic or partition do not exist any more; they cannot be planned and have no facts.
    `left_out` are a Streams application's internal topics that "all committed" does not hold.
    `partitions_counts` is how many partitions each topic has. `second` holds the commits that differed in a second
    reading some seconds later. `offsets_retention` and `session_timeout` are None where they were not asked for.
    """

    cluster_id: str
    measured_at: datetime
    group: GroupDescription
    partitions: tuple[PartitionFacts, ...]
    resolved_instant: datetime | None = None
    near_names: tuple[str, ...] = ()
    near_source_names: tuple[str, ...] = ()
    around: Mapping[TopicPartition, tuple[TimedOffset, ...]] = field(default_factory=dict)  # records near the target
    missing_topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    internal_topics: frozenset[str] = frozenset()
    gone: tuple[TopicPartition, ...] = ()
    left_out: tuple[str, ...] = ()
    source_group: GroupDescription | None = None  # the group that copy_group copies from
    earlier: Earlier | None = None  # what restore puts back
    seen: Seen = NOTHING_SEEN
    topic_configs: Mapping[str, TopicConfig | Problem] = field(default_factory=dict)
    partitions_counts: Mapping[str, int] = field(default_factory=dict)
    topic_operations: Mapping[str, frozenset[str]] = field(default_factory=dict)  # of topics of which it is told
    offsets_retention: timedelta | Problem | None = None
    session_timeout: SessionTimeout | Problem | None = None
    second: Mapping[TopicPartition, Committed | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the console's own records tell before the cluster is asked; empty where there is nothing."""

    earlier: Earlier | None = None
    seen: Seen = NOTHING_SEEN


NOTHING_RECALLED = Recalled()
