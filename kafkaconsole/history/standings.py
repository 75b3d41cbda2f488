"""Where a group stands, and where it stood at an instant: the shapes that pages and the API show. Plain Python."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from kafkaconsole.any_text import unescape
from kafkaconsole.history.lags import lag_of
from kafkaconsole.history.packing import at, unpack

EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One partition as last measured. `committed` None: no commit. `metadata` and `leader_epoch` as the committer stored.

    `lag` is None when it is not known; `time_lag` says for how long (at `measured_at`) the log has been known to be ahead
    of the group: None when behind since before we looked, zero when not behind. `member_id` is who reads it now.
    """

    topic: str
    topic_id: str
    partition: int
    log_start: int | None
    log_end: int | None
    committed: int | None
    metadata: str
    leader_epoch: int | None
    lag: int | None
    time_lag: timedelta | None
    member_id: str | None
    measured_at: datetime

    @property
    def lost(self) -> int:
        """Offsets of the lag that are deleted already: no reader gets them any more."""
        if self.committed is None or self.log_start is None:
            return 0
        return max(0, min(self.log_start - self.committed, self.lag or 0))

    @property
    def left(self) -> int | None:
        """Offsets of the lag that are still there to be read."""
        return None if self.lag is None else self.lag - self.lost


@dataclass(frozen=True, slots=True)
class Standing:
    """A group's latest readings. `measured_at` is the oldest reading among the lines, None when there is none at all.

    `lag` sums the partitions with a commit (None when one is unknown), `time_lag` is their largest.
    """

    lines: tuple[StandingLine, ...]
    measured_at: datetime | None
    lag: int | None
    time_lag: timedelta | None


@dataclass(frozen=True, slots=True)
class PastLine:
    """One partition as it stood at an instant; `sampled_at` is since when that held."""

    topic: str
    topic_id: str
    partition: int
    committed: int | None
    log_start: int | None
    log_end: int | None
    lag: int | None
    sampled_at: datetime


@dataclass(frozen=True, slots=True)
class Past:
    """What a group had at `instant`. `not_known` names the topics that cannot be told, with the stretch (from, to; None:
    open) in which they were not measured; of a group not measured at all then, every topic is in it."""

    instant: datetime
    lines: tuple[PastLine, ...]
    not_known: Mapping[str, tuple[datetime | None, datetime | None]]


@dataclass(frozen=True, slots=True)
class Reading:
    """The rows of one group & topic, as the standing needs them."""

    topic: str
    topic_id: str
    partitions_count: int
    committed: bytes
    behind_since: bytes
    metadata: Mapping[str, tuple[str, int | None]]
    log_starts: bytes
    log_ends: bytes
    measured_at: datetime


def lines_of(
    reading: Reading, members: Mapping[tuple[str, int], str], only: Collection[int] | None = None
) -> list[StandingLine]:
    """A line for each partition of the topic, and for each with a commit beyond those the topic is known to have; of
    these `only` some, where that is said."""
    committed, since = unpack(reading.committed), unpack(reading.behind_since)
    starts, ends = unpack(reading.log_starts), unpack(reading.log_ends)
    return [
        _line(
            reading,
            members,
            partition,
            at(committed, partition),
            at(since, partition),
            at(starts, partition),
            at(ends, partition),
        )
        for partition in range(max(reading.partitions_count, len(committed)))
        if only is None or partition in only
    ]


def _line(
    reading: Reading,
    members: Mapping[tuple[str, int], str],
    partition: int,
    committed: int | None,
    since_ms: int | None,
    log_start: int | None,
    log_end: int | None,
) -> StandingLine:
    stored = reading.metadata.get(str(partition)) if committed is not None else None
    lag = lag_of(committed, log_end)
    return StandingLine(
        topic=reading.topic,
        topic_id=reading.topic_id,
        partition=partition,
        log_start=log_start,
        log_end=log_end,
        committed=committed,
        metadata=unescape(stored[0]) if stored else "",
        leader_epoch=stored[1] if stored else None,
        lag=lag,
        time_lag=_time_lag(lag, since_ms, reading.measured_at),
        member_id=members.get((reading.topic, partition)),
        measured_at=reading.measured_at,
    )


def _time_lag(lag: int | None, since_ms: int | None, measured_at: datetime) -> timedelta | None:
    if lag is None:
        return None
    if lag == 0:
        return timedelta(0)
    return None if since_ms is None else max(measured_at - instant_of(since_ms), timedelta(0))


def sum_up(lines: list[StandingLine]) -> Standing:
    """The standing of a group from its lines."""
    having = [line for line in lines if line.committed is not None]
    lags = [line.lag for line in having if line.lag is not None]
    times = [line.time_lag for line in having if line.time_lag is not None]
    return Standing(
        lines=tuple(lines),
        measured_at=min((line.measured_at for line in lines), default=None),
        lag=sum(lags) if having and len(lags) == len(having) else None,
        time_lag=max(times) if having and len(times) == len(having) else None,
    )


def instant_of(since_ms: int) -> datetime:
    """Milliseconds since 1970 as an instant."""
    return EPOCH + timedelta(milliseconds=since_ms)


def ms_of(instant: datetime) -> int:
    """An instant as milliseconds since 1970; TypeError if naive."""
    return (instant - EPOCH) // timedelta(milliseconds=1)
