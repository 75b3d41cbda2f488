"""Files of offsets: every bad line is named, nothing is guessed, and what is exported reads back."""

from __future__ import annotations

from typing import Any

import pytest

from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets.files import parse_offsets, plan_as_csv
from tests.field_cases.playing import ORDERS, a_broker, a_change, a_plan, lines, problems_of


def rows_of(csv: str, **more: Any) -> dict[str, int]:
    """The rows of a file for a request on group g."""
    named = a_change("from_file", csv=csv, scope=None, **more).strategy.named() or {}
    return {str(of): int(offset) for of, offset in named.items()}


def refused_lines(csv: str, **more: Any) -> list[int | None]:
    """The numbers of the lines that are refused."""
    return [problem.line for problem in problems_of("from_file", csv=csv, scope=None, **more)]


def test_csv_11_an_export_read_back_is_the_same_plan_by_its_digest() -> None:
    fake = a_broker({0: (0, 100), 1: (20, 90)}, {0: 40, 1: 60})
    asked = a_plan(fake, "from_file", csv="# by hand\r\n1,7\r\n0, 80\r\n", topic="orders", scope=None)
    first = a_plan(fake, "from_file", csv=plan_as_csv(asked.lines), scope=None)
    again = a_plan(fake, "from_file", csv=plan_as_csv(first.lines), scope=None)
    assert [(line.target, line.why) for line in asked.lines] == [(80, None), (20, "clamped_to_log_start")]
    assert [line.target for line in first.lines] == [80, 20] and again.digest == first.digest
    inside = a_plan(fake, "from_file", csv="1,30\n0,80\n", topic="orders", scope=None)
    assert a_plan(fake, "from_file", csv=plan_as_csv(inside.lines), scope=None).digest == inside.digest


def test_csv_01_three_columns_are_of_the_group_and_four_must_name_it() -> None:
    assert rows_of("orders,0,40\norders,1,60\n") == {"orders-0": 40, "orders-1": 60}
    assert rows_of("g,orders,0,40\n") == {"orders-0": 40}
    (problem,) = problems_of("from_file", csv="g,orders,0,40\nh,orders,0,10\n", scope=None)
    assert problem.line == 2 and "'g'" in problem.expected
    assert refused_lines("orders,0,40\ng,orders,1,60\n") == [2]


def test_csv_02_a_known_header_gives_the_order_and_another_is_an_error_on_line_1() -> None:
    assert rows_of("topic,partition,offset\norders,0,40\norders,1,60\n") == {"orders-0": 40, "orders-1": 60}
    assert rows_of("offset,topic,partition\n40,orders,0\n") == {"orders-0": 40}
    assert refused_lines("TOPIC,PARTITION,NEW-OFFSET\norders,0,40\n")[0] == 1
    assert rows_of("topic,0,5\n") == {"topic-0": 5}


def test_csv_03_a_partition_twice_names_both_lines() -> None:
    (problem,) = problems_of("from_file", csv="orders,0,40\norders,1,60\norders,0,10\n", scope=None)
    assert problem.line == 3 and "line 1" in problem.expected
    assert refused_lines("orders,0,40\norders,0,40\n") == [2]


def test_csv_04_a_file_without_rows_of_the_group_is_refused() -> None:
    assert refused_lines("h,orders,0,40\n") == [1]
    assert refused_lines("") == [None]


def test_csv_08_a_row_outside_the_scope_is_an_error_and_not_a_row_less() -> None:
    (problem,) = problems_of("from_file", csv="orders,0,40\norders,1,60\nrefunds,0,5\n", scope=ORDERS)
    assert "refunds-0" in problem.found


@pytest.mark.parametrize("row", ["orders,0,1.23E+09", 'orders,0,"12,345"', "orders,0,12345.0"])
def test_csv_09_numbers_that_a_spreadsheet_changed_are_refused_with_their_text(row: str) -> None:
    (problem,) = problems_of("from_file", csv=f"orders,1,7\n{row}\n", scope=None)
    assert problem.line == 2
    assert row.split(",", 2)[2].strip('"') in problem.found + problem.expected


def test_csv_10_values_out_of_range_are_flagged_with_what_was_asked() -> None:
    found = lines(a_broker({0: (400, 1000), 1: (0, 50)}, {}), "from_file", scope=None, create_group=True,
                  csv="orders,0,40\norders,1,60\n")  # fmt: skip
    assert [(line.wanted, line.target, line.why) for line in found.values()] == [
        (40, 400, "clamped_to_log_start"),
        (60, 50, "clamped_to_log_end"),
    ]


def test_csv_11_an_exported_plan_holds_nothing_that_a_spreadsheet_would_run_and_reads_back() -> None:
    plan = a_plan(a_broker({0: (0, 100)}, {0: 50}), "to_earliest")
    text = plan_as_csv(plan.lines)
    assert text == "orders,0,0\n"
    assert not any(cell[:1] in "=+-@\t\r" for cell in text.split(","))
    assert parse_offsets(text, group=None, topic=None)[0].of == TopicPartition("orders", 0)
