"""Series as columns: steps held until the next reading, holes kept as holes, numbers that JavaScript can hold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from kafkaconsole.history.series import Point, Series
from kafkaconsole.overview.pages.columns import MOMENT, SAFE, Row, columns, replays, rows_of, seconds

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
AT = seconds(NOON)


def at(minute: float) -> datetime:
    return NOON + timedelta(minutes=minute)


def point(minute: float, committed: int | None, log_end: int | None = 100) -> Point:
    lag = None if committed is None or log_end is None else log_end - committed
    return Point(at(minute), committed, 0, log_end, lag, None)


def series(*points: Point, gaps: tuple[tuple[float, float], ...] = (), rewinds: tuple[float, ...] = ()) -> Series:
    return Series(
        topic=None,
        partition=None,
        points=points,
        gaps=tuple((at(since), at(to)) for since, to in gaps),
        rewinds=tuple(map(at, rewinds)),
    )


def committed_in(rows: list[Row]) -> list[tuple[float, int | None]]:
    return [((row.at - AT) / 60, row.point.committed if row.point else None) for row in rows]


def test_a_point_stands_at_the_first_millisecond_at_which_its_reading_is_there() -> None:
    for microseconds, milliseconds in ((0, 0), (1, 1), (999, 1), (1000, 1), (866_400, 867), (999_001, 1000)):
        assert seconds(NOON + timedelta(microseconds=microseconds)) == AT + milliseconds / 1000


def test_points_without_holes_stay_as_they_are() -> None:
    assert committed_in(rows_of(series(point(0, 1), point(5, 2)))) == [(0, 1), (5, 2)]


def test_value_holds_up_to_the_hole_and_not_into_it() -> None:
    rows = rows_of(series(point(0, 1), point(5, 2), point(9, 4), gaps=((6, 9),)))
    assert [value for _, value in committed_in(rows)] == [1, 2, 2, None, 4]
    assert rows[2].at == seconds(at(6))
    assert rows[3].at == seconds(at(6)) + MOMENT


def test_hole_before_the_first_reading_needs_no_row() -> None:
    assert committed_in(rows_of(series(point(3, 1), gaps=((0, 3),)))) == [(3, 1)]


def test_two_holes_in_a_row_end_the_line_once_each() -> None:
    rows = rows_of(series(point(0, 1), point(4, 2), point(9, 3), gaps=((1, 4), (5, 9))))
    assert [value for _, value in committed_in(rows)] == [1, 1, None, 2, 2, None, 3]


def test_open_hole_at_the_end_ends_the_line() -> None:
    rows = rows_of(series(point(0, 1), gaps=((2, 10),)))
    assert [value for _, value in committed_in(rows)] == [1, 1, None]


def test_lines_share_instants_and_hold_their_values_there() -> None:
    first = rows_of(series(point(0, 1), point(4, 5)))
    second = rows_of(series(point(2, 10), point(4, 20)))
    instants, lines = columns([first, second])
    assert [(one - AT) / 60 for one in instants] == [0, 2, 4]
    assert lines[0]["committed"] == [1, 1, 5]
    assert lines[1]["committed"] == [None, 10, 20]


def test_line_that_ended_earlier_is_not_carried_on() -> None:
    instants, lines = columns([rows_of(series(point(0, 1), point(2, 2))), rows_of(series(point(0, 1), point(5, 9)))])
    assert len(instants) == 3
    assert lines[0]["committed"] == [1, 2, None]


def test_numbers_beyond_javascript_travel_as_text() -> None:
    _, lines = columns([rows_of(series(point(0, SAFE, SAFE + 1)))])
    assert lines[0]["committed"] == [SAFE]
    assert lines[0]["log_end"] == [str(SAFE + 1)]


def test_no_commit_is_nothing_and_never_zero() -> None:
    _, lines = columns([rows_of(series(point(0, None)))])
    assert lines[0]["committed"] == [None]
    assert lines[0]["lag"] == [None]


def test_reading_again_lasts_until_the_old_place_is_reached() -> None:
    line = series(point(0, 50), point(1, 10), point(2, 40), point(3, 50), point(4, 60), rewinds=(1,))
    (found,) = replays(line, rows_of(line))
    assert (found.level, (found.start - AT) / 60, (found.end - AT) / 60) == (50, 1, 3)


def test_reading_again_that_goes_on_lasts_to_the_end() -> None:
    line = series(point(0, 50), point(1, 10), point(2, 20), rewinds=(1,))
    (found,) = replays(line, rows_of(line))
    assert (found.end - AT) / 60 == 2


def test_rewind_that_does_not_show_in_the_sum_shades_nothing() -> None:
    line = series(point(0, 50), point(1, 60), rewinds=(1,))
    assert replays(line, rows_of(line)) == []


def test_rewind_right_after_a_hole_has_no_level_to_come_back_to() -> None:
    line = series(point(0, 50), point(4, 10), gaps=((1, 4),), rewinds=(4,))
    assert replays(line, rows_of(line)) == []


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=20, unique=True),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), max_size=4),
)
def test_rows_are_in_order_and_nothing_is_told_inside_a_hole(minutes: list[int], holes: list[tuple[int, int]]) -> None:
    gaps: list[tuple[float, float]] = []
    for since, length in sorted(holes):
        if not gaps or since >= gaps[-1][1]:
            gaps.append((float(since), float(since + length)))
    rows = rows_of(series(*(point(minute, minute) for minute in sorted(minutes)), gaps=tuple(gaps)))
    assert [row.at for row in rows] == sorted(row.at for row in rows)
    for begin, end in gaps:
        inside = [row for row in rows if seconds(at(begin)) < row.at < seconds(at(end))]
        assert all(row.point is None for row in inside)
