"""Patterns: what each kind means, what is refused, and that none of them can keep a process busy."""

from __future__ import annotations

import time

import pytest

from kafkaconsole.groups.errors import BadOwnership
from kafkaconsole.groups.matching import LONGEST_REGEX, Kind, check, fixed_characters, matcher_of
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME

LIMIT_S = 5.0
"""Generous on any machine: by backtracking each of these would take years."""


@pytest.mark.parametrize(
    ("kind", "pattern", "name", "expected"),
    [
        (Kind.NAME, "a.b", "a.b", True),
        (Kind.NAME, "a.b", "axb", False),
        (Kind.PREFIX, "a", "ab", True),
        (Kind.PREFIX, "a", "ba", False),
        (Kind.GLOB, "a*c", "abbc", True),
        (Kind.GLOB, "a*c", "ac", True),
        (Kind.GLOB, "a*c", "abcd", False),
        (Kind.GLOB, "a?c", "ac", False),
        (Kind.GLOB, "a?c", "a결c", True),
        (Kind.GLOB, "*", "two\nlines", True),
        (Kind.GLOB, "a.*", "a.b", True),
        (Kind.GLOB, "a.*", "axb", False),
        (Kind.GLOB, r"a\*?", "a*b", True),
        (Kind.GLOB, r"a\*?", "abb", False),
        (Kind.GLOB, r"\[a\]*", "[a]b", True),
        (Kind.GLOB, "X*", "X-ray", True),
        (Kind.GLOB, "X*", "x-ray", False),
        (Kind.GLOB, "a*\\", "ab\\", True),
        (Kind.GLOB, "a*\\", "ab", False),
        (Kind.REGEX, "b|billing", "billing", True),
        (Kind.REGEX, "b|billing", "billing-x", False),
        (Kind.REGEX, "illin", "billing", False),
        (Kind.REGEX, "a$", "a\n", False),
        (Kind.REGEX, "결제-[0-9]+", "결제-12", True),
    ],
)
def test_a_pattern_means_a_whole_name(kind: Kind, pattern: str, name: str, expected: bool) -> None:
    check(kind, pattern)
    assert matcher_of(kind, pattern)(name) is expected


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+", "(a|aa)+", "(a*)*", "((a+)+)+!", "(a|a?)+", "(.*)*x", "(.*a){20}", "a?" * 60 + "a" * 60, "(a{0,30}){30}"],
)
def test_evil_patterns_take_no_longer_than_others(pattern: str) -> None:
    check(Kind.REGEX, pattern)
    began = time.monotonic()
    matcher_of(Kind.REGEX, pattern)("a" * (LONGEST_GROUP_NAME - 1) + "b")
    assert time.monotonic() - began < LIMIT_S


def test_a_glob_of_nothing_but_stars_takes_no_longer_than_others() -> None:
    pattern = "*a" * (LONGEST_GROUP_NAME // 2)
    check(Kind.GLOB, pattern)
    began = time.monotonic()
    assert not matcher_of(Kind.GLOB, pattern)("a" * (LONGEST_GROUP_NAME - 1) + "b")
    assert time.monotonic() - began < LIMIT_S


@pytest.mark.parametrize(
    "pattern",
    ["(", "[a", "(?=a)b", "(?<!a)b", r"(a)\1", "a{2000}", r"\pL{100}", "x" * (LONGEST_REGEX + 1), "", "a\0"],
)
def test_what_is_no_safe_regular_expression_is_refused(pattern: str) -> None:
    with pytest.raises(BadOwnership) as refused:
        check(Kind.REGEX, pattern)
    assert refused.value.facts["field"] == "pattern"


def test_a_refusal_is_told_to_the_person_and_not_to_the_error_output(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadOwnership):
        check(Kind.REGEX, "never seen before (")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("pattern", ["billing", r"a\*", "a[bc]*", "{a,b}*", "*" + "a" * LONGEST_GROUP_NAME])
def test_what_is_no_glob_is_refused(pattern: str) -> None:
    with pytest.raises(BadOwnership):
        check(Kind.GLOB, pattern)


@pytest.mark.parametrize(
    ("kind", "pattern", "expected"),
    [
        (Kind.NAME, "", "1 to 512 characters, none of them NUL"),
        (Kind.PREFIX, "a\0", "1 to 512 characters, none of them NUL"),
        (Kind.REGEX, "x" * 201, "1 to 200 characters, none of them NUL"),
        (Kind.REGEX, "é(", "a regular expression that RE2 reads (it says: missing ): é()"),
        (Kind.GLOB, "billing", "a * (any text) or a ? (one character); a whole name is the kind “Exactly”"),
        (Kind.GLOB, "a[bc]*", "* and ? alone; brackets after a backslash, or a regular expression"),
    ],
)
def test_a_refusal_tells_what_was_found_and_what_a_pattern_may_be(kind: Kind, pattern: str, expected: str) -> None:
    with pytest.raises(BadOwnership) as refused:
        check(kind, pattern)
    assert refused.value.facts == {"field": "pattern", "found": pattern[:80], "expected": expected}


def test_a_pattern_may_be_as_long_as_a_name() -> None:
    for kind in (Kind.NAME, Kind.PREFIX):
        check(kind, "a" * LONGEST_GROUP_NAME)
        with pytest.raises(BadOwnership):
            check(kind, "a" * (LONGEST_GROUP_NAME + 1))


def test_only_characters_that_a_pattern_fixes_are_counted() -> None:
    assert fixed_characters(Kind.GLOB, r"a*?\*b") == 3
    assert fixed_characters(Kind.PREFIX, "a*") == 2
    assert fixed_characters(Kind.REGEX, "abc") == 0
