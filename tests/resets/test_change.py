"""A change is read strictly: every problem is named by its path, nothing is bent, widened or dropped."""

from __future__ import annotations

from typing import Any

import pytest

from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets.change import (
    NoCommit,
    NoRecordAfter,
    OutOfRange,
    Rules,
    Scope,
    TopicScope,
    change_as_json,
    parse_change,
    parse_partitions,
)
from kafkaconsole.resets.errors import SHOWN_PROBLEMS, BadChange
from kafkaconsole.resets.strategies import STRATEGIES
from tests.resets.making import BODY

EXAMPLES: dict[str, dict[str, object]] = {
    "to_earliest": {},
    "to_latest": {},
    "to_current": {},
    "to_offset": {"offset": 42},
    "shift_by": {"by": -10},
    "by_duration": {"duration": "PT1H30M"},
    "to_datetime": {"datetime": "2026-12-01T09:00:00", "timezone": "Asia/Seoul"},
    "from_file": {"csv": "t,0,5\nt,1,6\n"},
    "copy_group": {"from_group": "other"},
    "restore": {"as_of": "2026-12-01T09:00:00Z"},
    "delete_offsets": {},
}


def problems_of(body: object) -> list[str]:
    """The paths of all problems, in order."""
    with pytest.raises(BadChange) as caught:
        parse_change(body)
    return [problem.field for problem in caught.value.problems]


def body(**more: Any) -> dict[str, Any]:
    """A good body with some fields changed."""
    return {**BODY, **more}


def test_there_is_an_example_of_every_strategy() -> None:
    assert list(EXAMPLES) == [
        "to_earliest", "to_latest", "to_current", "to_offset", "shift_by",
        "by_duration", "to_datetime", "from_file", "copy_group", "restore", "delete_offsets",
    ]  # fmt: skip
    assert EXAMPLES.keys() == STRATEGIES.keys()


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_change_survives_the_round_trip_through_json(kind: str) -> None:
    change = parse_change(body(strategy={"kind": kind, **EXAMPLES[kind]}))
    assert parse_change(change_as_json(change)) == change
    assert change_as_json(parse_change(change_as_json(change))) == change_as_json(change)


@pytest.mark.parametrize(
    "scope",
    [{"all_committed": True}, {"topics": [{"topic": "t"}, {"topic": "u", "partitions": [0, 3]}]}],
)
def test_a_scope_is_written_as_it_is_read(scope: dict[str, object]) -> None:
    assert change_as_json(parse_change(body(scope=scope))) == {
        "cluster": "demo",
        "group": "g",
        "scope": scope,
        "strategy": {"kind": "to_earliest"},
        "rules": {"no_commit": "strategy", "no_record_after": "log_end", "out_of_range": "clamp"},
        "create_group": False,
    }


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_strategy_has_a_title(kind: str) -> None:
    assert parse_change(body(strategy={"kind": kind, **EXAMPLES[kind]})).strategy.title


def test_the_example_of_the_api_is_read_as_it_says() -> None:
    change = parse_change(
        {
            "cluster": "demo",
            "group": "billing",
            "scope": {"topics": [{"topic": "hello"}, {"topic": "orders", "partitions": [3, 0]}]},
            "strategy": {"kind": "to_datetime", "datetime": "2026-12-01T09:00:00", "timezone": "Asia/Seoul"},
            "rules": {"no_commit": "leave", "no_record_after": "keep", "out_of_range": "refuse"},
            "create_group": True,
        }
    )
    assert (change.cluster, change.group, change.create_group) == ("demo", "billing", True)
    assert change.scope == Scope((TopicScope("hello"), TopicScope("orders", (0, 3))))
    assert change.rules == Rules(NoCommit.LEAVE, NoRecordAfter.KEEP, OutOfRange.REFUSE)


def test_rules_default_to_the_first_values_of_the_api() -> None:
    change = parse_change(BODY)
    assert change.rules == Rules(NoCommit.STRATEGY, NoRecordAfter.LOG_END, OutOfRange.CLAMP)
    assert change.create_group is False


@pytest.mark.parametrize("sent", [None, [], "text", 5, True, {1: "a"}])
def test_a_body_that_is_no_object_is_refused(sent: object) -> None:
    assert problems_of(sent) == ["(body)"]


def test_all_problems_are_told_at_once_with_what_was_found_and_expected() -> None:
    sent = body(group="", strategy={"kind": "to_offset", "offset": "5", "colour": 1}, rules={"no_commit": "x"}, extra=1)
    with pytest.raises(BadChange) as caught:
        parse_change(sent)
    told = [(problem.field, problem.found) for problem in caught.value.problems]
    assert told == [
        ("group", "''"),
        ("strategy.offset", "'5'"),
        ("strategy.colour", "1"),
        ("rules.no_commit", "'x'"),
        ("extra", "1"),
    ]
    assert "strategy, leave, earliest, latest, refuse" in caught.value.problems[3].expected


@pytest.mark.parametrize("number", [True, 1.0, "1", None, 2**63, -(2**63) - 1, [1]])
@pytest.mark.parametrize(("kind", "field"), [("to_offset", "offset"), ("shift_by", "by")])
def test_a_number_is_a_whole_number_of_64_bits(kind: str, field: str, number: object) -> None:
    assert problems_of(body(strategy={"kind": kind, field: number})) == [f"strategy.{field}"]


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 0])
def test_the_edges_of_64_bits_are_taken(number: int) -> None:
    change = parse_change(body(strategy={"kind": "to_offset", "offset": number}))
    assert change.strategy.own_fields() == {"offset": number}


@pytest.mark.parametrize(
    ("scope", "paths"),
    [
        (None, ["scope"]),
        ({}, ["scope"]),
        ([], ["scope"]),
        ({"topics": []}, ["scope.topics"]),
        ({"topics": "t"}, ["scope.topics"]),
        ({"topics": ["t"]}, ["scope.topics[0]"]),
        ({"topics": [{"topic": ""}]}, ["scope.topics[0].topic"]),
        ({"topics": [{"topic": "t"}, {"topic": "t"}]}, ["scope.topics[1].topic"]),
        ({"topics": [{"topic": "t", "partitions": []}]}, ["scope.topics[0].partitions"]),
        ({"topics": [{"topic": "t", "partitions": [0, 0]}]}, ["scope.topics[0].partitions"]),
        ({"topics": [{"topic": "t", "partitions": [True]}]}, ["scope.topics[0].partitions"]),
        ({"topics": [{"topic": "t", "partitions": [-1]}]}, ["scope.topics[0].partitions"]),
        ({"topics": [{"topic": "t", "partitions": [2**31]}]}, ["scope.topics[0].partitions"]),
        ({"topics": [{"topic": "t", "partition": [1]}]}, ["scope.topics[0].partition"]),
        ({"topics": [{"topic": "t"}], "all_committed": True}, ["scope"]),
        ({"all_committed": False}, ["scope.all_committed"]),
        ({"all_committed": 1}, ["scope.all_committed"]),
        ({"all": True}, ["scope.all", "scope"]),
    ],
)
def test_a_scope_is_never_empty_doubled_or_guessed(scope: object, paths: list[str]) -> None:
    assert problems_of(body(scope=scope)) == paths


def test_a_strategy_of_no_known_kind_is_refused_with_all_kinds_named() -> None:
    with pytest.raises(BadChange) as caught:
        parse_change(body(strategy={"kind": "to_moon"}))
    (problem,) = caught.value.problems
    assert problem.field == "strategy.kind"
    assert all(kind in problem.expected for kind in STRATEGIES)


@pytest.mark.parametrize("strategy", [None, "to_earliest", {}, {"kind": None}, {"kind": 1}])
def test_a_strategy_must_be_given(strategy: object) -> None:
    assert problems_of(body(strategy=strategy))[0] in ("strategy", "strategy.kind")


def test_a_field_of_another_strategy_is_refused_and_null_is_as_good_as_absent() -> None:
    assert problems_of(body(strategy={"kind": "to_earliest", "offset": 5})) == ["strategy.offset"]
    parse_change(body(strategy={"kind": "to_earliest", "offset": None}))


@pytest.mark.parametrize("flag", ["true", 1, 0, []])
def test_create_group_is_true_or_false(flag: object) -> None:
    assert problems_of(body(create_group=flag)) == ["create_group"]


def test_a_group_cannot_be_copied_onto_itself() -> None:
    assert problems_of(body(strategy={"kind": "copy_group", "from_group": "g"})) == ["strategy.from_group"]


def test_a_name_is_kept_to_the_letter() -> None:
    assert parse_change(body(group=" a/b%20é ")).group == " a/b%20é "


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "x" * 513])
@pytest.mark.parametrize("field", ["cluster", "group"])
def test_a_name_that_no_row_can_hold_is_refused(field: str, text: str) -> None:
    assert problems_of(body(**{field: text})) == [field]
    assert parse_change(body(group="x" * 512)).group == "x" * 512


@pytest.mark.parametrize("topic", ["a topic", "a/b", "é", ".", "..", "x" * 250, "t\n"])
def test_a_name_that_no_topic_can_have_is_refused(topic: str) -> None:
    assert problems_of(body(scope={"topics": [{"topic": topic}]})) == ["scope.topics[0].topic"]
    file = {"kind": "from_file", "csv": "0,5", "topic": topic}
    assert "strategy.topic" in problems_of(body(scope=None, strategy=file))


def test_a_file_may_be_long_and_holds_no_nul() -> None:
    rows = "\n".join(f"t,{number},5" for number in range(1000))
    assert (
        len(parse_change(body(scope=None, strategy={"kind": "from_file", "csv": rows})).strategy.named() or ()) == 1000
    )
    assert problems_of(body(scope=None, strategy={"kind": "from_file", "csv": rows + "\n#\0"})) == ["strategy.csv"]


def test_a_file_needs_no_scope_and_a_scope_limits_it() -> None:
    file = {"kind": "from_file", "csv": "t,0,5\nt,1,6\nu,0,7"}
    change = parse_change(body(strategy=file, scope=None))
    assert change.scope is None
    assert set(change.strategy.named() or ()) == {
        TopicPartition("t", 0),
        TopicPartition("t", 1),
        TopicPartition("u", 0),
    }
    with pytest.raises(BadChange) as caught:
        parse_change(body(strategy=file, scope={"topics": [{"topic": "t", "partitions": [0]}]}))
    assert [problem.found for problem in caught.value.problems] == ["a row for t-1", "a row for u-0"]


def test_bad_lines_of_a_file_are_named_with_their_numbers() -> None:
    with pytest.raises(BadChange) as caught:
        parse_change(body(scope=None, strategy={"kind": "from_file", "csv": "t,0,5\nt,x,6\n\nt,0,9"}))
    told = [(problem.field, problem.line) for problem in caught.value.problems]
    assert told == [("strategy.csv", 2), ("strategy.csv", 4)]
    assert "line 2: 't,x,6'" in caught.value.problems[0].found


def test_of_very_many_problems_the_first_hundred_are_spelled_out_and_all_are_counted() -> None:
    csv = "\n".join(["t,0,1"] * 251)
    with pytest.raises(BadChange) as caught:
        parse_change(body(scope=None, strategy={"kind": "from_file", "csv": csv}))
    problems = caught.value.facts["problems"]
    assert isinstance(problems, list) and len(problems) == SHOWN_PROBLEMS
    assert caught.value.facts["total"] == 250


def test_the_longest_values_are_cut_in_a_refusal() -> None:
    with pytest.raises(BadChange) as caught:
        parse_change(body(strategy={"kind": "x" * 5000}))
    assert len(caught.value.problems[0].found) < 200


@pytest.mark.parametrize(
    ("text", "partitions"),
    [
        ("0", (0,)),
        ("0-3,7", (0, 1, 2, 3, 7)),
        (" 7 , 0 - 2 ", (0, 1, 2, 7)),
        ("5-5", (5,)),
        ("2147483647", (2**31 - 1,)),
    ],
)
def test_ranges_of_partitions_are_read(text: str, partitions: tuple[int, ...]) -> None:
    assert parse_partitions(text) == partitions


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("", ["''"]),
        ("0,", ["''"]),
        ("3-1", ["'3-1'"]),
        ("-1", ["'-1'"]),
        ("0-2,2", ["'2'"]),
        ("1,x,y", ["'x'", "'y'"]),
        ("2147483648", ["'2147483648'"]),
        ("0-2147483647", ["'0-2147483647'"]),
        ("١", ["'١'"]),
        ("1.0", ["'1.0'"]),
    ],
)
def test_bad_partitions_are_all_named(text: str, bad: list[str]) -> None:
    with pytest.raises(BadChange) as caught:
        parse_partitions(text)
    assert [problem.found for problem in caught.value.problems] == bad
