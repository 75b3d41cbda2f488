"""Patterns for tickets: `#` is one digit or more, `*` any text, `?` one character; a backslash before them means the
character itself. No regular expressions: one that is written badly could keep a web process busy for minutes."""

from __future__ import annotations

LONGEST = 60
MOST_OPEN = 4
"""So many `#` and `*` at most: with few of them a match is found, or not, at once."""


def problem_of(pattern: str) -> str | None:
    """What was expected instead, where a text is no pattern; None: it is one."""
    if len(pattern) > LONGEST or not pattern.isprintable():
        return f"at most {LONGEST} printable characters"
    if sum(kind is not None and kind != "?" for kind, _ in _parts(pattern)) > MOST_OPEN:
        return f"at most {MOST_OPEN} of # and *"
    return None


def matches(pattern: str, text: str) -> bool:
    """Whether the whole text is as the pattern says."""
    reached = {0}
    for kind, character in _parts(pattern):
        if kind == "*":
            reached = set(range(min(reached), len(text) + 1))
        elif kind == "#":
            reached = _after_digits(text, reached)
        else:
            reached = {at + 1 for at in reached if at < len(text) and (kind == "?" or text[at] == character)}
        if not reached:
            return False
    return len(text) in reached


def _after_digits(text: str, reached: set[int]) -> set[int]:
    found: set[int] = set()
    for at, character in enumerate(text):
        if character in "0123456789" and (at in reached or at in found):
            found.add(at + 1)
    return found


def _parts(pattern: str) -> list[tuple[str | None, str]]:
    """Each character with its meaning: `#`, `*`, `?`, or None for itself."""
    parts: list[tuple[str | None, str]] = []
    rest = iter(pattern)
    for character in rest:
        if character == "\\":
            parts.append((None, next(rest, "\\")))
        else:
            parts.append((character if character in "#*?" else None, character))
    return parts
