"""A chart's series out of change-only samples: plain Python, no I/O.

Points are steps: each holds until the next, never a slope. Gaps are intervals in which nothing was measured; a line
ends where a gap begins. A reduced series holds only points that were there, and of each stretch its extremes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from kafkaconsole.history.lags import lag_of
from kafkaconsole.history.packing import ABSENT
from kafkaconsole.history.tracks import Cursor, Track, rewinds

PER_BUCKET = 6  # first, last, lowest and highest lag, lowest and highest committed offset

Interval = tuple[datetime, datetime]


class Point(NamedTuple):
    """What held from `at` on, until the next point or a gap; None: not known, or no commit. `time_lag_s` in seconds."""

    at: datetime
    committed: int | None
    log_start: int | None
    log_end: int | None
    lag: int | None
    time_lag_s: float | None


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a chart: of one partition, or the sum over all with a commit (`partition` None).

    `rewinds` are the instants at which a committed offset was seen to have gone back. `without_commit` are the partitions
    left out of the sums as of the last point, `unknown` those whose bounds made a sum unknown somewhere: [topic, partition].
    """

    topic: str | None
    partition: int | None
    points: tuple[Point, ...] = ()
    gaps: tuple[Interval, ...] = ()
    rewinds: tuple[datetime, ...] = ()
    without_commit: tuple[tuple[str, int], ...] = ()
    unknown: tuple[tuple[str, int], ...] = ()
    is_reduced: bool = False


def build(
    tracks: Sequence[Track],
    *,
    topic: str | None,
    partition: int | None,
    start: datetime,
    end: datetime,
    measured_until: datetime,
    gaps: Sequence[Interval],
    max_points: int,
) -> Series:
    """The series from `start` to `end`, at most `max_points` points (6 at least).

    `measured_until` is the latest good reading: what was last sampled holds until then, not longer.
    """
    if max_points < PER_BUCKET:
        raise ValueError(f"max_points is {max_points}, expected at least {PER_BUCKET}")
    merged = merge(gaps)
    gap_ends = frozenset(to for _, to in merged)
    cursors = [Cursor(track, partition, gap_ends) for track in tracks]
    every = _instants(tracks, start, min(end, measured_until), merged)
    whole = list(_points(cursors, every))
    kept = reduce(whole, start, end, max_points)
    walkers = [Cursor(track, partition, gap_ends) for track in tracks]
    return Series(
        topic=topic,
        partition=partition,
        points=tuple(_with_time_lag(walkers, kept)),
        gaps=tuple((max(since, start), min(to, end)) for since, to in merged if since < end and to > start),
        rewinds=tuple(
            sorted({at for cursor in cursors for at in rewinds(cursor.track, partition) if start <= at <= end})
        ),
        without_commit=tuple(one for cursor in cursors if cursor.has_begun for one in cursor.without_commit()),
        unknown=tuple(sorted({one for cursor in cursors for one in cursor.unknown})),
        is_reduced=len(kept) < len(whole),
    )


def merge(gaps: Iterable[Interval]) -> list[Interval]:
    """Intervals in order, those that overlap made one; where two only touch, there was a good reading."""
    merged: list[Interval] = []
    for since, to in sorted(gaps):
        if merged and since < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(to, merged[-1][1]))
        else:
            merged.append((since, to))
    return merged


def reduce(points: Sequence[Point], start: datetime, end: datetime, most: int) -> list[Point]:
    """At most `most` of the points: of each of equally long stretches the first, the last, and the extremes."""
    if len(points) <= most:
        return list(points)
    buckets = most // PER_BUCKET
    span = (end - start) / buckets
    kept: list[Point] = []
    place = 0
    for number in range(buckets):
        until = start + span * (number + 1)
        since = place
        while place < len(points) and (points[place].at < until or number == buckets - 1):
            place += 1
        kept += [points[one] for one in sorted(_telling(points, since, place))]
    return kept


def _telling(points: Sequence[Point], since: int, to: int) -> set[int]:
    if since == to:
        return set()
    chosen = {since, to - 1}
    lags = [(point.lag, place) for place, point in enumerate(points[since:to], since) if point.lag is not None]
    offsets = [(one.committed, place) for place, one in enumerate(points[since:to], since) if one.committed is not None]
    for values in (lags, offsets):
        if values:
            chosen |= {min(values)[1], max(values)[1]}
    return chosen


def _instants(tracks: Sequence[Track], start: datetime, until: datetime, gaps: Sequence[Interval]) -> list[datetime]:
    """Where a point may be: every sample, the range's ends, and both ends of every gap; none inside a gap."""
    wanted = {start, until, *(edge for gap in gaps for edge in gap)}
    for track in tracks:
        wanted.update(at for at, _ in track.committed)
        wanted.update(one.at for one in track.bounds)
    ordered = sorted(at for at in wanted if start <= at <= until)
    kept: list[datetime] = []
    place = 0
    for at in ordered:
        while place < len(gaps) and gaps[place][1] <= at:
            place += 1
        if place == len(gaps) or not gaps[place][0] < at:
            kept.append(at)
    return kept


def _points(cursors: Sequence[Cursor], instants: Iterable[datetime]) -> Iterator[Point]:
    for at in instants:
        for cursor in cursors:
            cursor.move_to(at)
        begun = [cursor for cursor in cursors if cursor.has_begun]
        if begun:
            yield _point(at, begun)


def _point(at: datetime, cursors: Sequence[Cursor]) -> Point:
    if len(cursors) == 1 and cursors[0].partition is not None:
        one = cursors[0]
        committed, start, end = (_first(side) for side in (one.offsets, one.starts, one.ends))
        return Point(at, committed, start, end, lag_of(committed, end), None)
    having = [cursor.totals for cursor in cursors if cursor.totals.partitions]
    if not having:
        return Point(at, None, None, None, None, None)
    return Point(
        at,
        sum(one.committed for one in having),
        _sum([one.log_start for one in having]),
        _sum([one.log_end for one in having]),
        _sum([one.lag for one in having]),
        None,
    )


def _with_time_lag(cursors: Sequence[Cursor], points: Iterable[Point]) -> Iterator[Point]:
    for point in points:
        for cursor in cursors:
            cursor.move_to(point.at)
        if point.lag is None:
            yield point
            continue
        passed = [at for cursor in cursors if cursor.has_begun for at in cursor.passed()]
        known = [at for at in passed if at is not None]
        if len(known) < len(passed):
            yield point
        else:
            yield point._replace(time_lag_s=max(((point.at - at).total_seconds() for at in known), default=0.0))


def _first(side: Sequence[int]) -> int | None:
    return None if not side or side[0] == ABSENT else side[0]


def _sum(numbers: Sequence[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None
