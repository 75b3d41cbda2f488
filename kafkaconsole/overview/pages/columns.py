"""Series as the columns that the chart draws: plain Python, no I/O.

Points are steps, each holds until the next; where a gap begins, the last value is held up to it and then there is
nothing. All lines share one column of instants, so each value is carried on to the instants of the others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from kafkaconsole.history.series import Point, Series

SAFE = 2**53 - 1
"""Larger whole numbers travel as text: JavaScript's numbers would round them."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
MOMENT = 0.001  # seconds; how long after its beginning a gap's emptiness starts
FIELDS = ("committed", "log_end", "lag", "time_lag_s")

Number = int | float | str | None


@dataclass(frozen=True, slots=True)
class Row:
    """What holds from `at` (seconds since 1970) on; `point` None: not measured."""

    at: float
    point: Point | None


@dataclass(frozen=True, slots=True)
class Replay:
    """A stretch in which records were read again: until the group came back to `level`, where it had been before."""

    start: float
    end: float
    level: int


def rows_of(series: Series) -> list[Row]:
    """The points of a series and the holes between them, in order."""
    rows: list[Row] = []
    points = list(series.points)
    place = 0
    for since, to in series.gaps:
        while place < len(points) and points[place].at <= since:
            rows.append(Row(seconds(points[place].at), points[place]))
            place += 1
        if rows and rows[-1].point is not None:
            rows += [Row(seconds(since), rows[-1].point), Row(seconds(since) + MOMENT, None)]
        while place < len(points) and points[place].at < to:
            place += 1  # a point inside a hole tells nothing
    return [*rows, *(Row(seconds(point.at), point) for point in points[place:])]


def columns(lines: Sequence[Sequence[Row]]) -> tuple[list[float], list[dict[str, list[Number]]]]:
    """The instants of all lines together, and for each line its values there: one list for each of FIELDS."""
    instants = sorted({row.at for rows in lines for row in rows})
    return instants, [_held(rows, instants) for rows in lines]


def replays(series: Series, rows: Sequence[Row]) -> list[Replay]:
    """The stretches of reading again after each rewind that the series knows of."""
    instants = [row.at for row in rows]
    found = []
    for rewind in series.rewinds:
        place = bisect_left(instants, seconds(rewind))
        if 0 < place < len(rows):
            one = _replay(rows, place)
            if one is not None:
                found.append(one)
    return found


def _replay(rows: Sequence[Row], place: int) -> Replay | None:
    level, now = (_committed(rows[at]) for at in (place - 1, place))
    if level is None or now is None or now >= level:
        return None
    for row in rows[place:]:
        reached = _committed(row)
        if reached is not None and reached >= level:
            return Replay(rows[place].at, row.at, level)
    return Replay(rows[place].at, rows[-1].at, level)


def _committed(row: Row) -> int | None:
    return row.point.committed if row.point else None


def _held(rows: Sequence[Row], instants: Iterable[float]) -> dict[str, list[Number]]:
    values: dict[str, list[Number]] = {field: [] for field in FIELDS}
    place = -1
    for at in instants:
        while place + 1 < len(rows) and rows[place + 1].at <= at:
            place += 1
        point = rows[place].point if place >= 0 and at <= rows[-1].at else None
        for field in FIELDS:
            values[field].append(_number(getattr(point, field, None)))
    return values


def _number(value: int | float | None) -> Number:
    return str(value) if isinstance(value, int) and value > SAFE else value


def seconds(at: datetime) -> float:
    """An instant as seconds since 1970, up to the next whole millisecond: at that moment its reading is there already."""
    return -((EPOCH - at) // MILLISECOND) / 1000
