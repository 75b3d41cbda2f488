"""The geometry of the offset ruler: where marks lie, and that it never lies about direction."""

from __future__ import annotations

import random

import pytest

from kafkaconsole.display.ruler import (
    ABOVE_LOG,
    BELOW_LOG,
    MIN_STRETCH,
    TRACK_END,
    TRACK_START,
    Direction,
    Ruler,
    measure,
)

MAX = 2**63 - 1


def stretch_of(drawn: Ruler) -> tuple[Direction, float, float]:
    assert drawn.stretch is not None
    return drawn.stretch.direction, drawn.stretch.start, drawn.stretch.start + drawn.stretch.width


def test_the_log_fills_the_track_from_start_to_end() -> None:
    drawn = measure(100, 200, 200, 100)
    assert (drawn.now, drawn.target) == (TRACK_END, TRACK_START)
    assert stretch_of(drawn) == (Direction.REPLAY, TRACK_START, TRACK_END)


def test_half_way_is_in_the_middle() -> None:
    assert measure(0, 100, 50, None).now == pytest.approx((TRACK_START + TRACK_END) / 2)


def test_going_forward_is_a_skip_from_the_commit_to_the_target() -> None:
    drawn = measure(0, 100, 20, 80)
    direction, start, end = stretch_of(drawn)
    assert direction is Direction.SKIP
    assert drawn.now == pytest.approx(start)
    assert drawn.target == pytest.approx(end)


def test_staying_has_no_stretch() -> None:
    drawn = measure(0, 100, 20, 20)
    assert drawn.stretch is None
    assert drawn.now == drawn.target


def test_no_commit_has_a_target_but_neither_mark_nor_stretch() -> None:
    drawn = measure(0, 100, None, 40)
    assert (drawn.now, drawn.stretch) == (None, None)
    assert drawn.target is not None


def test_unknown_bounds_draw_no_marks_at_all() -> None:
    drawn = measure(None, None, 5, 7)
    assert (drawn.bounds_known, drawn.now, drawn.target, drawn.stretch) == (False, None, None, None)


def test_a_commit_that_retention_has_overtaken_lies_outside_the_track() -> None:
    drawn = measure(100, 200, 40, 150)
    assert drawn.now == BELOW_LOG
    assert stretch_of(drawn)[:2] == (Direction.SKIP, TRACK_START), "what is deleted already is not skipped by this plan"


def test_a_commit_overtaken_by_retention_and_set_to_the_log_start_skips_nothing() -> None:
    drawn = measure(100, 200, 40, 100)
    assert (drawn.now, drawn.target, drawn.stretch) == (BELOW_LOG, TRACK_START, None)


def test_a_commit_beyond_the_end_lies_outside_the_track() -> None:
    drawn = measure(0, 100, 400, 50)
    assert drawn.now == ABOVE_LOG
    direction, _start, end = stretch_of(drawn)
    assert (direction, end) == (Direction.REPLAY, TRACK_END)


def test_an_empty_log_is_told_and_its_marks_agree() -> None:
    drawn = measure(7, 7, 7, 7)
    assert drawn.is_empty
    assert drawn.now == drawn.target == pytest.approx((TRACK_START + TRACK_END) / 2)
    assert drawn.stretch is None


@pytest.mark.parametrize(("log_start", "edge"), [(0, False), (1, True)])
def test_the_retention_edge_is_drawn_only_where_something_is_deleted(log_start: int, edge: bool) -> None:
    assert measure(log_start, 10, 5, 5).retention_edge is edge


@pytest.mark.parametrize(
    ("committed", "target"),
    [(10**9, 10**9 - 1), (10**9 - 1, 10**9), (1, 0), (0, 1), (500_000_000, 500_000_001), (500_000_001, 500_000_000)],
)
def test_one_record_in_a_thousand_million_is_still_seen_on_its_true_side(committed: int, target: int) -> None:
    drawn = measure(0, 10**9, committed, target)
    _direction, start, end = stretch_of(drawn)
    assert end - start >= MIN_STRETCH - 1e-9
    assert drawn.now is not None
    assert drawn.target is not None
    assert (drawn.target < drawn.now) is (target < committed)
    assert start >= TRACK_START
    assert end <= TRACK_END


def test_the_largest_offsets_of_kafka_fit() -> None:
    drawn = measure(0, MAX, MAX, MAX - 1)
    assert drawn.target is not None
    assert TRACK_START < drawn.target < TRACK_END


def test_a_larger_offset_is_never_drawn_left_of_a_smaller_one() -> None:
    chance = random.Random(20261201)
    for _ in range(500):
        start = chance.randrange(0, 10**6)
        end = start + chance.randrange(0, 10**6)
        offsets = sorted(chance.randrange(0, 2 * 10**6) for _ in range(20))
        drawn = [measure(start, end, at, None).now or 0.0 for at in offsets]
        assert drawn == sorted(drawn), (start, end, offsets)


def test_marks_and_stretch_agree_on_the_direction_whatever_the_numbers() -> None:
    chance = random.Random(20261202)
    for _ in range(2000):
        start = chance.randrange(0, 1000)
        end = start + chance.randrange(0, 10 ** chance.randrange(1, 10))
        committed, target = chance.randrange(0, end + 50), chance.randrange(start, end + 1)
        drawn = measure(start, end, committed, target)
        moved = target - min(max(committed, start), end)
        assert drawn.target is not None
        assert TRACK_START <= drawn.target <= TRACK_END
        if moved == 0:
            assert drawn.stretch is None
            continue
        direction, left, right = stretch_of(drawn)
        assert direction is (Direction.REPLAY if moved < 0 else Direction.SKIP)
        assert TRACK_START <= left < right <= TRACK_END + 1e-9
        assert drawn.target == pytest.approx(left if moved < 0 else right)


def test_leave_delete_and_refuse_keep_their_action_and_have_no_target() -> None:
    for action in ("leave", "delete", "refuse"):
        drawn = measure(0, 10, 5, None, action)
        assert (drawn.action, drawn.target, drawn.stretch) == (action, None, None)
