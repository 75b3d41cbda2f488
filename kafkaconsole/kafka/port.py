"""What the console needs from one Kafka cluster, in its own words.

Two adapters stand behind it (`groups`, `records`) and one fake in the tests; one contract suite runs on all.
Whole-call failures raise `kafka.errors`; per-item failures are `Problem` values in the answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Protocol

from kafkaconsole.kafka.values import (
    ClusterFacts,
    Committed,
    GroupDescription,
    GroupId,
    GroupListing,
    Offset,
    OffsetBounds,
    Problem,
    Record,
    RecordSpan,
    SessionTimeout,
    TimedOffset,
    TopicConfig,
    TopicFacts,
    TopicPartition,
    WriteAnswer,
)


class OffsetReader(Protocol):
    """Everything read-only about groups, offsets and topics."""

    def describe_cluster(self) -> ClusterFacts: ...

    def list_groups(self) -> GroupListing: ...

    def describe_groups(self, groups: Collection[GroupId]) -> Mapping[GroupId, GroupDescription | Problem]: ...

    def committed(
        self, groups: Collection[GroupId]
    ) -> Mapping[GroupId, Mapping[TopicPartition, Committed | Problem] | Problem]:
        """All committed offsets of each group; partitions without a commit are absent."""
        ...

    def committed_of(
        self, group: GroupId, of: Collection[TopicPartition]
    ) -> Mapping[TopicPartition, Committed | None | Problem]:
        """Committed offsets of the named partitions, so that a missing right shows per partition."""
        ...

    def topics(self, names: Collection[str] | None = None) -> Mapping[str, TopicFacts | Problem]:
        """Named topics (NOT_FOUND as a problem), or every visible topic when `names` is None."""
        ...

    def topic_configs(self, names: Collection[str]) -> Mapping[str, TopicConfig | Problem]:
        """Clean-up and timestamps of each topic; NOT_AUTHORIZED where the console may not read settings."""
        ...

    def offsets_retention(self) -> timedelta | Problem:
        """How long brokers keep the offsets of a group that is not used."""
        ...

    def session_timeout(self, group: GroupDescription) -> SessionTimeout | Problem:
        """How long members that went away stay: exact for the newer protocol, whose groups have it as a setting; a
        classic member names its own when it joins, which no answer tells, so only the longest that brokers allow."""
        ...

    def bounds(
        self, of: Collection[TopicPartition], *, last_stable: bool = True
    ) -> Mapping[TopicPartition, OffsetBounds | Problem]: ...

    def offsets_at(
        self, instants: Mapping[TopicPartition, datetime]
    ) -> Mapping[TopicPartition, TimedOffset | None | Problem]:
        """Lowest offset whose record is at or after the instant; None when the broker knows no such record."""
        ...

    def max_timestamps(self, of: Collection[TopicPartition]) -> Mapping[TopicPartition, TimedOffset | None | Problem]:
        """The record with the highest timestamp; it may be one already deleted (reset-semantics A.5)."""
        ...


class OffsetAdmin(OffsetReader, Protocol):
    """The reader, and the two writes. Only `resets.execution` calls the writes, with an approved plan.

    `until` is the instant from which on a write may not leave the console any more, by this machine's clock: it is
    looked at last, after everything that is asked before the write. Too late, nothing is sent: NOT_WRITTEN, passing.
    """

    def commit(
        self, group: GroupId, targets: Mapping[TopicPartition, Committed], *, until: datetime | None = None
    ) -> Mapping[TopicPartition, WriteAnswer]: ...

    def delete_offsets(
        self, group: GroupId, of: Collection[TopicPartition], *, until: datetime | None = None
    ) -> Mapping[TopicPartition, WriteAnswer]: ...


class RecordReader(Protocol):
    """Reads records without ever joining a group or committing."""

    def read(self, spans: Sequence[RecordSpan], *, time_limit: timedelta) -> Iterator[Record]:
        """Yield the records of the spans, partition by partition in offset order; raises KafkaUnavailable on the limit."""
        ...

    def times_around(
        self, offsets: Mapping[TopicPartition, Offset], *, reach: int, time_limit: timedelta
    ) -> Mapping[TopicPartition, tuple[TimedOffset, ...]]:
        """The times of records around each offset, in offset order: those of the `reach` offsets before it, those of
        the `reach` offsets from it on, and in any case the first at or after it. What cannot be read within the limit
        is absent; a partition with no record there has an empty tuple."""
        ...


class Connect(Protocol):
    """Opens an `OffsetAdmin` for a registered cluster; closes it at the end of the block."""

    def __call__(self, cluster_pk: int) -> AbstractContextManager[OffsetAdmin]: ...


class ConnectRecords(Protocol):
    """Opens a `RecordReader` for a registered cluster; closes it at the end of the block."""

    def __call__(self, cluster_pk: int) -> AbstractContextManager[RecordReader]: ...
