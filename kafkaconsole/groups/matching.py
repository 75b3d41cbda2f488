"""How the pattern of an ownership rule is compared with a group's name: plain Python, no I/O (docs/decisions/0056).

Names and beginnings are compared letter by letter. Globs and regular expressions run on RE2, which needs time linear in
the name whatever the pattern; what RE2 cannot do (looking around, back-references, huge repetitions) is refused by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import lru_cache

import re2

from kafkaconsole.groups.errors import BadOwnership
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.words import words

LONGEST_REGEX = 200
"""Any other pattern may be as long as a group's name."""
MEMORY = 1 << 20
"""Bytes that RE2 may take for one pattern; one that needs more is refused when the rule is made."""

Matcher = Callable[[str], bool]


class Kind(StrEnum):
    """How a rule names groups, the most exact first."""

    NAME = "name"
    PREFIX = "prefix"
    GLOB = "glob"
    REGEX = "regex"


def check(kind: Kind, pattern: str) -> None:
    """Raise BadOwnership where a text is no pattern of its kind."""
    longest = LONGEST_REGEX if kind is Kind.REGEX else LONGEST_GROUP_NAME
    if not pattern or len(pattern) > longest or "\0" in pattern:
        raise _bad(pattern, words("1 to {most} characters, none of them NUL", most=longest))
    if kind is Kind.GLOB:
        _check_glob(pattern)
    if kind is Kind.REGEX:
        try:
            matcher_of(Kind.REGEX, pattern)
        except re2.error as error:
            expected = words("a regular expression that RE2 reads (it says: {said})", said=error.args[0].decode())
            raise _bad(pattern, expected) from error


def fixed_characters(kind: Kind, pattern: str) -> int:
    """How exact a pattern is among those of its kind: the characters that it fixes. Regular expressions: always 0,
    because nothing simple tells which of two says more."""
    if kind is Kind.REGEX:
        return 0
    return len(pattern) if kind is not Kind.GLOB else sum(not is_open for is_open, _ in _glob_parts(pattern))


@lru_cache(maxsize=1024)
def matcher_of(kind: Kind, pattern: str) -> Matcher:
    """Whether a whole name is as the pattern says. Raises re2.error for a pattern that RE2 does not take."""
    return _matcher(kind, pattern)


def _matcher(kind: Kind, pattern: str) -> Matcher:
    if kind is Kind.NAME:
        return pattern.__eq__
    if kind is Kind.PREFIX:
        return lambda name: name.startswith(pattern)
    options = re2.Options()
    options.log_errors, options.never_capture, options.max_mem = False, True, MEMORY
    options.dot_nl = kind is Kind.GLOB
    compiled = re2.compile(_glob_as_regex(pattern) if kind is Kind.GLOB else pattern, options)
    return lambda name: compiled.fullmatch(name) is not None


def _check_glob(pattern: str) -> None:
    parts = list(_glob_parts(pattern))
    if not any(is_open for is_open, _ in parts):
        raise _bad(pattern, words("a * (any text) or a ? (one character); a whole name is the kind “Exactly”"))
    if any(character in "[]{}" for character in _unescaped(pattern)):
        raise _bad(pattern, words("* and ? alone; brackets after a backslash, or a regular expression"))


def _unescaped(pattern: str) -> Iterator[str]:
    """The characters without a backslash before them."""
    rest = iter(pattern)
    for character in rest:
        if character == "\\":
            next(rest, None)
        else:
            yield character


def _glob_parts(pattern: str) -> Iterator[tuple[bool, str]]:
    """Each character with whether it is open (`*`, `?`); after a backslash it means itself."""
    rest = iter(pattern)
    for character in rest:
        if character == "\\":
            yield False, next(rest, "\\")
        else:
            yield character in "*?", character


def _glob_as_regex(pattern: str) -> str:
    opened = {"*": ".*", "?": "."}
    return "".join(opened[one] if is_open else re2.escape(one) for is_open, one in _glob_parts(pattern))


def _bad(pattern: str, expected: str) -> BadOwnership:
    return BadOwnership(field="pattern", found=pattern[:80], expected=expected)
