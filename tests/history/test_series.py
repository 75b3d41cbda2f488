"""Charts: reduced without inventing anything, ended by gaps, stepped across resets."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkaconsole.history import queries, series
from kafkaconsole.history.errors import BadRange
from kafkaconsole.history.series import Point
from tests.history.scene import INTERVAL, NOON, Watched

SECOND = timedelta(seconds=1)


def points(offsets: list[int]) -> list[Point]:
    return [Point(NOON + SECOND * at, offset, 0, 1000, 1000 - offset, None) for at, offset in enumerate(offsets)]


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=400), st.integers(6, 60))
def test_reduction_keeps_extremes_and_ends_and_invents_nothing(offsets: list[int], most: int) -> None:
    whole = points(offsets)
    kept = series.reduce(whole, NOON, NOON + SECOND * len(offsets), most)
    assert len(kept) <= most
    assert set(kept) <= set(whole)
    assert kept == sorted(kept, key=lambda point: point.at)
    assert (kept[0], kept[-1]) == (whole[0], whole[-1])
    assert max(one.lag or 0 for one in kept) == max(one.lag or 0 for one in whole)
    assert min(one.lag or 0 for one in kept) == min(one.lag or 0 for one in whole)


def test_a_short_spike_survives_a_month_on_few_points() -> None:
    offsets = [1000] * 20_000
    offsets[12_345] = 3
    kept = series.reduce(points(offsets), NOON, NOON + SECOND * 20_000, 100)
    assert 3 in [point.committed for point in kept]


def test_a_reset_is_a_step_and_is_named(watched: Watched) -> None:
    watched.sweep()
    watched.sweep()
    watched.commit("billing", "orders", p2=5)
    after = watched.sweep()
    found = queries.series(watched.group(), start=NOON, end=watched.clock(), max_points=100)
    assert [point.committed for point in found.points] == [60, 35]
    assert found.rewinds == (after.at,)


def test_partitions_without_a_commit_are_named_not_counted(watched: Watched) -> None:
    watched.kafka.add_partitions("orders", 4)
    watched.sweep()
    found = queries.series(watched.group(), start=NOON, end=watched.clock(), max_points=100)
    assert found.without_commit == (("orders", 3),)
    assert found.points[-1].lag == 240


def test_a_sum_with_an_unknown_part_is_unknown_and_says_which(watched: Watched) -> None:
    watched.kafka.lose_leader("orders", 1)
    watched.sweep()
    found = queries.series(watched.group(), start=NOON, end=watched.clock(), max_points=100)
    assert found.points[-1].lag is None
    assert found.unknown == (("orders", 1),)


def test_time_lag_in_a_chart_is_since_the_log_end_passed_the_offset(watched: Watched) -> None:
    watched.commit("billing", "orders", p0=100, p1=100, p2=100)
    watched.sweep()
    watched.produce("orders", 0, 10)
    watched.sweep()
    watched.sweep()
    found = queries.series(watched.group(), start=NOON, end=watched.clock(), max_points=100)
    assert [point.time_lag_s for point in found.points] == [0.0, 0.0, 30.0]


def test_what_held_before_the_range_holds_at_its_start(watched: Watched) -> None:
    watched.sweep()
    watched.sweep(INTERVAL * 2)
    start = watched.clock() - INTERVAL
    found = queries.series(watched.group(), start=start, end=watched.clock(), max_points=100)
    assert [(point.at, point.committed) for point in found.points] == [(start, 60), (watched.clock(), 60)]


def test_a_line_ends_at_the_last_good_reading(watched: Watched) -> None:
    last = watched.sweep().at
    found = queries.series(watched.group(), start=NOON, end=NOON + timedelta(days=1), max_points=100)
    assert last is not None
    assert found.points[-1].at == last


@pytest.mark.parametrize(
    ("change", "field"),
    [({"end": NOON}, "from"), ({"max_points": 5}, "max_points"), ({"topic": None, "partition": 0}, "topic")],
)
def test_a_chart_that_cannot_be_drawn_is_refused(watched: Watched, change: dict[str, object], field: str) -> None:
    watched.sweep()
    asked: dict[str, object] = {"topic": "orders", "start": NOON, "end": NOON + INTERVAL, "max_points": 100} | change
    with pytest.raises(BadRange) as refused:
        queries.series(watched.group(), **asked)  # type: ignore[arg-type]
    assert refused.value.facts["field"] == field


def test_a_topic_that_the_group_never_had_gives_no_points(watched: Watched) -> None:
    watched.sweep()
    found = queries.series(watched.group(), topic="other", start=NOON, end=watched.clock(), max_points=100)
    assert found.points == ()
