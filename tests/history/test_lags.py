"""Lag in records and in time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kafkaconsole.history.lags import LogEnds, Totals, lag_of, totals
from kafkaconsole.history.packing import ABSENT
from tests.history.scene import NOON

MINUTE = timedelta(minutes=1)
INSTANTS = [NOON + MINUTE * number for number in range(4)]


@pytest.mark.parametrize(
    ("committed", "end", "expected"),
    [(3, 10, 7), (10, 10, 0), (None, 10, None), (3, None, None), (11, 10, None)],
)
def test_lag_is_never_negative_and_never_zero_when_unknown(
    committed: int | None, end: int | None, expected: int | None
) -> None:
    assert lag_of(committed, end) == expected


def test_sums_leave_out_partitions_without_a_commit() -> None:
    assert totals((10, ABSENT, 30), (0, 1, 2), (100, 100, 100)) == Totals(2, 40, 2, 200, 160)


def test_one_unknown_log_end_makes_the_sum_unknown() -> None:
    found = totals((10, 20), (0, 0), (100, ABSENT))
    assert (found.committed, found.log_end, found.lag) == (30, None, None)


def test_a_partition_beyond_the_known_bounds_makes_the_sum_unknown() -> None:
    assert totals((10, 20), (0,), (100,)).lag is None


def test_an_offset_beyond_the_log_end_makes_the_lag_unknown() -> None:
    assert totals((10, 101), (0, 0), (100, 100)).lag is None


def test_a_log_end_passed_an_offset_at_the_first_reading_beyond_it() -> None:
    assert LogEnds(INSTANTS, [10, 20, 30, 40]).passed(20) == INSTANTS[2]
    assert LogEnds(INSTANTS, [10, 20, 30, 40]).passed(19) == INSTANTS[1]


def test_nothing_is_said_of_what_was_before_the_first_reading_or_is_not_yet() -> None:
    assert LogEnds(INSTANTS, [10, 20, 30, 40]).passed(9) is None
    assert LogEnds(INSTANTS, [10, 20, 30, 40]).passed(40) is None
    assert LogEnds([], []).passed(0) is None


def test_nothing_is_said_of_what_happened_in_a_gap() -> None:
    assert LogEnds(INSTANTS, [10, 20, 30, 40], {INSTANTS[2]}).passed(20) is None


def test_nothing_is_said_when_a_log_end_went_back() -> None:
    assert LogEnds(INSTANTS, [10, 30, 20, 40]).passed(15) is None


def test_unknown_readings_are_passed_over() -> None:
    assert LogEnds(INSTANTS, [10, ABSENT, ABSENT, 40]).passed(20) == INSTANTS[3]
