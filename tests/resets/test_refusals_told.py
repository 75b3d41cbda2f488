"""What a person is told of each wrong field, line, moment and number: found, expected and what to do, word for word.

Facts of refusals are part of the API and stand in logs in English, whatever language a page is shown in.
"""

from __future__ import annotations

from typing import Any

import pytest

from kafkaconsole.kafka.values import GroupId
from kafkaconsole.resets import instants
from kafkaconsole.resets.change import parse_change, parse_partitions
from kafkaconsole.resets.errors import BadChange
from kafkaconsole.resets.files import BadFile, parse_offsets
from kafkaconsole.words import Words
from tests.resets.making import BODY

KINDS = (
    "one of to_earliest, to_latest, to_current, to_offset, shift_by, by_duration, to_datetime, from_file, copy_group, "
    "restore, delete_offsets"
)
SCOPE = 'an object with "topics" (a list) or "all_committed": true'
TOPIC_NAME = "1 to 249 of the characters a–z, A–Z, 0–9, '.', '_', '-'"
COLUMNS = "partition,offset (with a topic given), topic,partition,offset or group,topic,partition,offset"
MOMENT = (
    "a moment such as 2026-12-01T09:00:00Z, 2026-12-01T09:00:00.250+09:00, 2026-12-01 09:00:00 +0900, a wall clock such "
    "as 2026-12-01T09:00 with a timezone, or epoch seconds (9 or 10 digits) or milliseconds (12 or 13)"
)
DURATION = "a duration such as PT1H30M, P2D or PT90S: whole days (of 24 h), hours and minutes, seconds down to .001"
NUMBER = "a whole number of at most 64 bits"

Told = list[tuple[object, ...]]


def strategy(kind: object, **more: object) -> dict[str, Any]:
    """A good body but for its strategy."""
    return {**BODY, "strategy": {"kind": kind, **more}}


def scope(told: object) -> dict[str, Any]:
    """A good body but for its scope."""
    return {**BODY, "scope": told}


def file(csv: str, **more: object) -> dict[str, Any]:
    """A good body with a file."""
    return {**strategy("from_file", csv=csv, **more), "scope": None}


CHANGES: list[tuple[object, Told]] = [
    ("text", [("(body)", "'text'", "an object with fields")]),
    (
        {},
        [
            ("cluster", "nothing", "the name of a cluster"),
            ("group", "nothing", "the name of a consumer group"),
            ("strategy", "nothing", "an object with fields"),
        ],
    ),
    ({**BODY, "group": 5}, [("group", "5", "the name of a consumer group")]),
    (
        {**BODY, "cluster": "x" * 513},
        [("cluster", f"'{'x' * 119}… (515 characters)", "the name of a cluster, of at most 512 characters")],
    ),
    (
        {**BODY, "group": "a\0b"},
        [("group", "'a\\x00b'", "the name of a consumer group, without NUL characters and halves of characters")],
    ),
    ({**BODY, "create_group": "yes"}, [("create_group", "'yes'", "true or false")]),
    (
        {**BODY, "extra": 1},
        [("extra", "1", "no such field here; there is cluster, create_group, group, rules, scope, strategy")],
    ),
    (strategy(None), [("strategy.kind", "nothing", KINDS)]),
    (strategy("to_moon"), [("strategy.kind", "'to_moon'", KINDS)]),
    (strategy("to_earliest", by=1), [("strategy.by", "1", "no such field here; there is kind")]),
    (strategy("to_offset", offset=True), [("strategy.offset", "true", NUMBER)]),
    (strategy("shift_by", by=1.5), [("strategy.by", "1.5", f"{NUMBER}; negative goes back")]),
    (strategy("by_duration"), [("strategy.duration", "nothing", DURATION)]),
    (strategy("by_duration", duration="PT1H30"), [("strategy.duration", "'PT1H30'", DURATION)]),
    (strategy("copy_group"), [("strategy.from_group", "nothing", "the name of another group of this cluster")]),
    (
        strategy("copy_group", from_group="g"),
        [("strategy.from_group", "'g'", "another group than the one to be reset")],
    ),
    (
        strategy("restore"),
        [("strategy.as_of", "nothing", "either as_of (a moment) or snapshot (the id of an attempt)")],
    ),
    (
        strategy("restore", as_of="now", snapshot=1),
        [("strategy.as_of", "'now'", "either as_of (a moment) or snapshot (the id of an attempt)")],
    ),
    (
        strategy("restore", snapshot=0),
        [("strategy.snapshot", "0", "the id of an attempt, a whole number from 1")],
    ),
    (
        strategy("restore", as_of="2026-12-01T09:00"),
        [("strategy.as_of", "'2026-12-01T09:00'", "a moment that names its zone")],
    ),
    (strategy("restore", as_of="now"), [("strategy.as_of", "'now'", MOMENT)]),
    (strategy("restore", as_of=5), [("strategy.as_of", "5", MOMENT)]),
    (strategy("to_datetime"), [("strategy.datetime", "nothing", MOMENT)]),
    (
        strategy("to_datetime", datetime="now", timezone=5),
        [
            ("strategy.timezone", "5", "an IANA time zone such as Asia/Seoul"),
            ("strategy.datetime", "'now'", MOMENT),
        ],
    ),
    (
        strategy("to_datetime", datetime="2026-12-01T09:00", timezone="Mars"),
        [("strategy.timezone", "'Mars'", "an IANA time zone such as Asia/Seoul, Europe/Berlin or UTC")],
    ),
    (scope(None), [("scope", "nothing", SCOPE)]),
    (scope([]), [("scope", "[]", "an object with fields")]),
    (scope({}), [("scope", "{}", f"{SCOPE}: one of the two")]),
    (scope({"all_committed": 1}), [("scope.all_committed", "1", "true, or topics instead")]),
    (scope({"topics": []}), [("scope.topics", "[]", "a list of at least one topic")]),
    (
        scope({"topics": [{"topic": "t"}], "x": 1}),
        [("scope.x", "1", "no such field here; there is all_committed, topics")],
    ),
    (
        scope({"topics": [5, {"topic": 5}, {"topic": "a b"}, {"topic": "t", "x": 1}, {"topic": "t"}]}),
        [
            ("scope.topics[0]", "5", "an object with fields"),
            ("scope.topics[1].topic", "5", "the name of a topic"),
            ("scope.topics[2].topic", "'a b'", f"the name of a topic: {TOPIC_NAME}"),
            ("scope.topics[3].x", "1", "no such field here; there is partitions, topic"),
            ("scope.topics[4].topic", "'t'", "each topic once"),
        ],
    ),
    (
        scope({"topics": [{"topic": "t", "partitions": []}]}),
        [("scope.topics[0].partitions", "[]", "a list of at least one partition, or no list for all of them")],
    ),
    (
        scope({"topics": [{"topic": "t", "partitions": [0, -1, 0, 1]}]}),
        [
            ("scope.topics[0].partitions", "-1", "whole numbers from 0 to 2147483647"),
            ("scope.topics[0].partitions", "0", "each partition once"),
        ],
    ),
    ({**BODY, "rules": 5}, [("rules", "5", "an object with fields")]),
    (
        {**BODY, "rules": {"no_commit": 5, "no_record_after": "x", "out_of_range": "y", "z": 1}},
        [
            ("rules.no_commit", "5", "one of strategy, leave, earliest, latest, refuse"),
            ("rules.no_record_after", "'x'", "one of log_end, keep, refuse"),
            ("rules.out_of_range", "'y'", "one of clamp, refuse"),
            ("rules.z", "1", "no such field here; there is no_commit, no_record_after, out_of_range"),
        ],
    ),
    (
        {**BODY, "strategy": {"kind": "from_file", "csv": "t,0,5\nu,0,5"}},
        [("scope", "a row for u-0", "every row within the scope, or a wider scope")],
    ),
    (file(""), [("strategy.csv", "''", f"the text of a file of {COLUMNS}")]),
    (file("#"), [("strategy.csv", "the file", "at least one row: the file holds none")]),
    (
        file("0,1", topic="a b"),
        [
            ("strategy.topic", "'a b'", f"the topic of rows that name none: {TOPIC_NAME}"),
            ("strategy.csv", "line 1: '0,1'", "a topic: these rows have none, so strategy.topic must name it", 1),
        ],
    ),
    (file("t,0,1", topic=5), [("strategy.topic", "5", "the topic of rows that name none")]),
]


@pytest.mark.parametrize(("body", "told"), CHANGES)
def test_every_problem_of_a_change_says_where_it_is_what_was_found_and_what_was_expected(
    body: object, told: Told
) -> None:
    with pytest.raises(BadChange) as caught:
        parse_change(body)
    problems = [(one.field, one.found, one.expected, one.line) for one in caught.value.problems]
    assert problems == [(*row, None)[:4] for row in told]


FILES: list[tuple[str, str | None, int, str]] = [
    ("#", None, 0, "at least one row: the file holds none"),
    ('t,0,"5', None, 1, "quotes that are closed and stand around a whole value"),
    ("t", None, 1, f"{COLUMNS}: found 1 columns"),
    ("a,b,c,d,e", None, 1, f"{COLUMNS}: found 5 columns"),
    ("topic,partition,lag,x", None, 1, f"a header of {COLUMNS}, each column once; not known: 'lag', 'x'"),
    ("offset,offset,partition", None, 1, f"a header of {COLUMNS}, each column once"),
    ("partition,topic", None, 1, f"a header of {COLUMNS}, each column once"),
    ("t,0,5\nt,1", None, 2, "3 columns (topic,partition,offset): found 2"),
    ("h,t,0,5", None, 1, "the group 'g': a request is about one group"),
    ("0,5", None, 1, "a topic: these rows have none, so strategy.topic must name it"),
    ("a b,0,5", None, 1, f"a topic name ({TOPIC_NAME})"),
    ("u,0,5", "t", 1, "the topic 't' that was given beside the file, or no topic beside it"),
    ("t,,5", None, 1, "a number for the partition: it is missing"),
    ("t,0,", None, 1, "a number for the offset: it is missing"),
    ("t,0,x", None, 1, "a whole number from 0 to 9223372036854775807 for the offset, of plain digits: found 'x'"),
    ("t,x,0", None, 1, "a whole number from 0 to 2147483647 for the partition, of plain digits: found 'x'"),
    ("t,0,5\nt,0,6", None, 2, "each partition once: t-0 is on line 1 already"),
]


@pytest.mark.parametrize(("text", "topic", "line", "expected"), FILES)
def test_every_bad_line_of_a_file_says_what_was_expected(
    text: str, topic: str | None, line: int, expected: str
) -> None:
    with pytest.raises(BadFile) as caught:
        parse_offsets(text, group=GroupId("g"), topic=topic)
    (problem,) = caught.value.problems
    assert (problem.line, problem.expected) == (line, expected)
    assert problem.text == (text.splitlines()[line - 1] if line else "")


MOMENTS: list[tuple[str, str | None, str, str]] = [
    ("now", None, "datetime", MOMENT),
    ("2026-12-01T09:00", "Mars", "timezone", "an IANA time zone such as Asia/Seoul, Europe/Berlin or UTC"),
    ("2026-12-01T09:00:00.0001Z", None, "datetime", "at most whole milliseconds: Kafka keeps no finer time"),
    ("2026-13-01T09:00Z", None, "datetime", "a day and a time that exist (00:00:00 to 23:59:59)"),
    ("2026-12-01T09:00+19:00", None, "datetime", "an offset between -18:00 and +18:00"),
    ("2026-12-01T09:00+09:60", None, "datetime", "an offset between -18:00 and +18:00"),
    ("2026-12-01T09:00-18:01", None, "datetime", "an offset between -18:00 and +18:00"),
    (
        "2026-12-01T09:00",
        None,
        "timezone",
        "an IANA time zone such as Asia/Seoul, or a datetime that carries an offset",
    ),
    (
        "1969-12-31T23:59:59.999Z",
        None,
        "datetime",
        "a moment in 1970 or later: to Kafka earlier ones are commands, not times",
    ),
    ("0001-01-01T00:00:00+09:00", None, "datetime", "a moment between the years 1970 and 9999"),
    (
        "2026-12-01T09:00:00+09:00",
        "Europe/Berlin",
        "timezone",
        "no timezone beside an offset (+09:00), or one that agrees: in Europe/Berlin it is then +0100",
    ),
    (
        "2026-03-29T02:30",
        "Europe/Berlin",
        "datetime",
        "a time that exists: the clock skips this one in Europe/Berlin; write 2026-03-29T01:30:00+01:00 or "
        "2026-03-29T03:30:00+02:00",
    ),
    (
        "2026-10-25T02:30",
        "Europe/Berlin",
        "datetime",
        "which of the two: the clock shows this time twice in Europe/Berlin; write 2026-10-25T02:30:00+02:00 or "
        "2026-10-25T02:30:00+01:00",
    ),
]


@pytest.mark.parametrize(("text", "zone", "about", "expected"), MOMENTS)
def test_every_moment_that_cannot_be_read_says_which_field_and_what_was_expected(
    text: str, zone: str | None, about: str, expected: str
) -> None:
    with pytest.raises(instants.Unreadable) as caught:
        instants.parse_instant(text, zone)
    assert (caught.value.about, caught.value.expected) == (about, expected)


NEGATIVE = f"{DURATION}; it may not be negative, it already counts back from now"
NO_LENGTH = f"{DURATION}; years, months and weeks have no fixed length here, write days"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two hours", DURATION),
        ("PT1Y", DURATION),
        ("-PT1H", NEGATIVE),
        ("P1W", NO_LENGTH),
        ("p1y", NO_LENGTH),
        ("P1MT1H", NO_LENGTH),
        ("p1dt", DURATION),
        ("PT0.0001S", "at most whole milliseconds: Kafka keeps no finer time"),
        ("P999999999DT999999999H", "a duration that does not reach before 1970"),
    ],
)
def test_every_duration_that_cannot_be_read_says_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(instants.Unreadable) as caught:
        instants.parse_duration(text)
    assert (caught.value.about, caught.value.expected) == ("duration", expected)


RANGES = "numbers and ranges such as 0-3,7, at most 100000 partitions"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3-1", [("partitions", "'3-1'", RANGES)]),
        ("0-100000", [("partitions", "'0-100000'", RANGES)]),
        ("0-2, 2 ,x ", [("partitions", "'2'", "each partition once"), ("partitions", "'x'", RANGES)]),
    ],
)
def test_every_range_that_cannot_be_read_says_what_was_expected(text: str, told: Told) -> None:
    with pytest.raises(BadChange) as caught:
        parse_partitions(text)
    assert [(one.field, one.found, one.expected) for one in caught.value.problems] == told


def test_a_value_of_up_to_120_characters_is_shown_whole() -> None:
    for length, shown in ((118, f"'{'x' * 118}'"), (119, f"'{'x' * 119}… (121 characters)")):
        with pytest.raises(BadChange) as caught:
            parse_change(strategy("x" * length))
        assert caught.value.problems[0].found == shown


def test_what_was_found_in_words_can_be_said_in_another_language() -> None:
    with pytest.raises(BadChange) as caught:
        parse_change({**BODY, "strategy": {"kind": "from_file", "csv": "u,0,5"}})
    assert isinstance(caught.value.problems[0].found, Words)


def test_a_range_may_be_as_long_as_the_most_partitions_of_a_topic() -> None:
    assert len(parse_partitions("0-99999")) == 100_000
