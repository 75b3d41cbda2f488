"""The sentences of people and tokens, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "token.bad": "{field}: found {found!r}, expected {expected}.",
    "person.bad": "{field}: found {found!r}, expected {expected}.",
    "person.last_administrator": (
        "{user} is the only administrator who can sign in. Make someone else an administrator first."
    ),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    return SENTENCES[code].format_map(facts)
