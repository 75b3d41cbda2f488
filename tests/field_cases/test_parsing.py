"""What people type: strict, told by name, never bent to fit."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kafkaconsole.resets.change import parse_change, parse_partitions
from kafkaconsole.resets.errors import BadChange
from kafkaconsole.resets.instants import parse_duration
from tests.field_cases.playing import ORDERS, a_broker, a_change, only_line, problems_of


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("P1D", timedelta(days=1)),
        ("PT24H", timedelta(days=1)),
        ("P1DT2H30M", timedelta(hours=26, minutes=30)),
        ("PT0.5S", timedelta(milliseconds=500)),
        (" PT1H ", timedelta(hours=1)),
        ("pt1h", timedelta(hours=1)),
    ],
)
def test_parse_02_durations_of_a_fixed_length_are_read(text: str, length: timedelta) -> None:
    assert parse_duration(text) == length


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1d", "PT1H30M"),
        ("PT1D", "PT1H30M"),
        ("P1M", "no fixed length"),
        ("P1Y", "no fixed length"),
        ("P1W", "no fixed length"),
        ("PT", "PT1H30M"),
        ("", "PT1H30M"),
        ("-PT1H", "negative"),
    ],
)
def test_parse_02_other_durations_are_refused_by_name(text: str, hint: str) -> None:
    (problem,) = problems_of("by_duration", duration=text)
    assert problem.field == "strategy.duration" and hint in problem.expected


def test_parse_04_a_field_of_another_strategy_neither_blocks_nor_leaks() -> None:
    assert a_change("to_earliest", offset=None).strategy.kind == "to_earliest"
    assert [one.field for one in problems_of("to_earliest", offset=5)] == ["strategy.offset"]
    assert [one.field for one in problems_of("to_earliest", datetime="2026-03-01T09:00:00Z")] == ["strategy.datetime"]
    assert [one.field for one in problems_of("to_offset")] == ["strategy.offset"]
    assert [one.field for one in problems_of("to_offset", offset=5, by=3)] == ["strategy.by"]
    two = {"cluster": "demo", "group": "g", "scope": ORDERS, "strategy": [{"kind": "to_earliest"}] * 2}
    with pytest.raises(BadChange):
        parse_change(two)


@pytest.mark.parametrize(("text", "partitions"), [("0,1,2", (0, 1, 2)), ("0-2", (0, 1, 2)), (" 0 , 1 ", (0, 1))])
def test_parse_05_lists_of_partitions_are_read(text: str, partitions: tuple[int, ...]) -> None:
    assert parse_partitions(text) == partitions


@pytest.mark.parametrize("text", ["0,,2", "1,1", "-1", "0;1", "٠,١", "2147483648", ""])
def test_parse_05_other_lists_of_partitions_are_refused_by_their_part(text: str) -> None:
    with pytest.raises(BadChange) as caught:
        parse_partitions(text)
    assert all(problem.field == "partitions" for problem in caught.value.problems)


def test_parse_05_a_partition_that_the_topic_does_not_have_refuses_its_line() -> None:
    fake = a_broker({0: (0, 10), 1: (0, 10), 2: (0, 10)}, {0: 1})
    line = only_line(fake, "to_earliest", scope={"topics": [{"topic": "orders", "partitions": [3]}]})
    assert (line.action, line.why) == ("refuse", "unknown_partition")


def test_parse_06_the_largest_offset_is_clamped_in_sight_and_a_larger_one_refused() -> None:
    line = only_line(a_broker({0: (0, 100)}, {0: 5}), "to_offset", offset=2**63 - 1)
    assert (line.wanted, line.target, line.why) == (2**63 - 1, 100, "clamped_to_log_end")
    assert problems_of("to_offset", offset=2**63)


@pytest.mark.parametrize("text", ["1e3", "1_000", "0x10", "+5", "5.0", "５", "9223372036854775808"])
def test_parse_06_other_spellings_of_numbers_are_refused_in_files_and_changes(text: str) -> None:
    assert problems_of("from_file", csv=f"orders,0,{text}\n", scope=None)[0].line == 1
    assert problems_of("to_offset", offset=text)


def test_parse_06_leading_zeros_are_the_number() -> None:
    named = a_change("from_file", csv="orders,0,007\n", scope=None).strategy.named() or {}
    assert list(named.values()) == [7]


@pytest.mark.parametrize(
    "text", ["6 hours ago", "yesterday", "last friday", "10/11/2026 09:00", "09:00", "now", "newset"]
)
def test_parse_07_times_in_words_are_refused_with_the_accepted_forms(text: str) -> None:
    (problem,) = problems_of("to_datetime", datetime=text, timezone="UTC")
    assert problem.field == "strategy.datetime" and "2026-12-01T09:00:00Z" in problem.expected


@pytest.mark.parametrize("topics", [[], [""], ["   "], [{}], [{"topic": ""}], [{"topic": "   "}]])
def test_scope_01_an_empty_choice_of_topics_is_refused(topics: list[object]) -> None:
    named = [{"topic": one} if isinstance(one, str) else one for one in topics]
    assert problems_of("to_earliest", scope={"topics": named})


def test_scope_02_no_partitions_are_never_all_of_them() -> None:
    assert problems_of("to_earliest", scope={"topics": [{"topic": "orders", "partitions": []}]})
    whole = a_change("to_earliest", scope={"topics": [{"topic": "orders"}]})
    assert whole.scope is not None and whole.scope.topics[0].partitions is None


def test_name_09_a_group_name_with_colons_is_never_split() -> None:
    assert a_change("to_earliest", group="my-funny::consumer").group == "my-funny::consumer"
    rows = a_change("from_file", csv="a:b,orders,0,5\n", scope=None, group="a:b").strategy.named() or {}
    assert [str(of) for of in rows] == ["orders-0"]


@pytest.mark.parametrize("name", [" ", "a", "a ", "\ta", "pre_#x", "a%2Fb", "a/b", "what?", "%!s(<nil>):%!s(<nil>)"])
def test_name_05_a_group_name_is_kept_to_the_letter(name: str) -> None:
    assert a_change("to_earliest", group=name).group == name
