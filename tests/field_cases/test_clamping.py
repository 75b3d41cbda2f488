"""Offsets outside the log: asked, effective and why stand apart, and nothing is written that was not shown."""

from __future__ import annotations

import pytest

from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.planning import targets_of
from tests.field_cases.playing import a_broker, a_plan, lines, only_line, warned


def test_clamp_01_a_target_above_the_end_is_flagged_and_never_written() -> None:
    plan = a_plan(a_broker({0: (10, 100)}, {0: 50}), "to_offset", offset=500)
    (line,) = plan.lines
    assert (line.wanted, line.target, line.why) == (500, 100, "clamped_to_log_end")
    assert [target.offset for target in targets_of(plan.lines).values()] == [100]
    assert warned(plan, "lines_clamped")["count"] == 1


@pytest.mark.parametrize(
    ("by", "target", "why"),
    [(-150, 0, "clamped_to_log_start"), (150, 200, "clamped_to_log_end"), (-50, 50, None), (50, 150, None)],
)
def test_clamp_03_a_shift_stops_at_either_end(by: int, target: int, why: str | None) -> None:
    line = only_line(a_broker({0: (0, 200)}, {0: 100}), "shift_by", by=by)
    assert (line.target, line.why) == (target, why)


def test_clamp_05_keeping_the_current_offset_writes_nothing_where_nothing_was_committed() -> None:
    fake = a_broker({0: (0, 100), 1: (0, 100)}, {0: 40})
    assert lines(fake, "to_current")["orders-1"].action == "refuse"
    kept = lines(fake, "to_current", rules={"no_commit": "leave"})
    assert (kept["orders-0"].target, kept["orders-1"].action) == (40, "leave")
    asked = lines(fake, "to_current", rules={"no_commit": "latest"})["orders-1"]
    assert (asked.committed, asked.target, asked.why) == (None, 100, "no_commit")


@pytest.mark.parametrize(("offset", "target", "why"), [(10, 10, None), (11, 10, "clamped_to_log_end"), (9, 9, None)])
def test_clamp_06_the_end_is_the_next_offset_and_not_one_more(offset: int, target: int, why: str | None) -> None:
    fake = a_broker({0: (0, 10)}, {0: 0})
    assert only_line(fake, "to_latest").target == 10
    line = only_line(fake, "to_offset", offset=offset)
    assert (line.target, line.why) == (target, why)


def test_clamp_08_one_number_on_many_partitions_is_flagged_on_each_with_its_bounds() -> None:
    found = lines(a_broker({0: (0, 100), 1: (50, 60), 2: (500, 900)}, {}), "to_offset", offset=80, create_group=True)
    assert [(line.target, line.why, line.log_start, line.log_end) for line in found.values()] == [
        (80, None, 0, 100),
        (60, "clamped_to_log_end", 50, 60),
        (500, "clamped_to_log_start", 500, 900),
    ]


@pytest.mark.parametrize(
    ("offset", "told"),
    [(5, [(5, 10, 10, 100), (5, 40, 40, 60)]), (70, [(70, 70, 10, 100), (70, 60, 40, 60)])],
)
def test_clamp_09_each_line_names_its_own_numbers(offset: int, told: list[tuple[int, ...]]) -> None:
    found = lines(a_broker({0: (10, 100), 1: (40, 60)}, {0: 50, 1: 50}), "to_offset", offset=offset)
    assert [(line.wanted, line.target, line.log_start, line.log_end) for line in found.values()] == told


def test_neg_02_a_commit_beyond_the_end_is_told_and_a_shift_starts_from_it() -> None:
    plan = a_plan(a_broker({0: (0, 100)}, {0: 140}), "shift_by", by=-10)
    (line,) = plan.lines
    assert (line.committed, line.wanted, line.target, line.why) == (140, 130, 100, "clamped_to_log_end")
    told = warned(plan, "committed_beyond_end")
    assert told["partitions"] == ["orders-0"]
    assert "beyond the end of the log" in sentence("committed_beyond_end", told)


def test_neg_03_offsets_that_were_copied_to_another_cluster_are_brought_in_by_every_strategy() -> None:
    fake = a_broker({0: (0, 136_204)}, {0: 144_424})
    assert only_line(fake, "to_latest").target == 136_204
    current = a_plan(fake, "to_current")
    assert (current.lines[0].wanted, current.lines[0].target) == (144_424, 136_204)
    assert warned(current, "committed_beyond_end")["count"] == 1
    assert only_line(fake, "to_current", rules={"out_of_range": "refuse"}).action == "refuse"


def test_neg_04_after_data_loss_to_latest_goes_to_the_ends_and_says_which_were_beyond() -> None:
    fake = a_broker({0: (0, 1611), 1: (0, 1667), 2: (0, 1653)}, {0: 2020, 1: 2128, 2: 2239})
    plan = a_plan(fake, "to_latest")
    assert [line.target for line in plan.lines] == [1611, 1667, 1653]
    assert warned(plan, "committed_beyond_end")["count"] == 3


def test_neg_06_sums_are_exact_beyond_what_floats_hold() -> None:
    fake = a_broker(dict.fromkeys(range(12), (0, 500_000_000)), dict.fromkeys(range(12), 500_000_000))
    assert a_plan(fake, "to_earliest").totals.replayed == 6_000_000_000
    assert only_line(a_broker({0: (0, 2**53 + 1)}, {0: 2**53 + 1}), "to_earliest").replayed == 9_007_199_254_740_993


def test_scope_06_a_skip_says_how_much_is_never_read() -> None:
    totals = a_plan(a_broker({0: (0, 5000), 1: (0, 800)}, {0: 1200, 1: 800}), "to_latest").totals
    assert (totals.skipped, totals.replayed, totals.changed) == (3800, 0, 1)


def test_scope_07_a_rewind_says_how_much_is_read_again_and_keeps_where_it_was() -> None:
    fake = a_broker(dict.fromkeys(range(3), (0, 10_000)), dict.fromkeys(range(3), 10_000))
    plan = a_plan(fake, "to_offset", offset=7000)
    assert [line.replayed for line in plan.lines] == [3000, 3000, 3000]
    assert (plan.totals.replayed, plan.totals.skipped) == (9000, 0)
    assert [line.committed for line in plan.lines] == [10_000] * 3


def test_scope_08_one_partition_in_scope_is_one_line() -> None:
    fake = a_broker(dict.fromkeys(range(3), (0, 100)), dict.fromkeys(range(3), 100))
    line = only_line(fake, "to_earliest", scope={"topics": [{"topic": "orders", "partitions": [1]}]})
    assert (str(line.of), line.target) == ("orders-1", 0)
