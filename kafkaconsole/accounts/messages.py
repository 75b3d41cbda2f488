"""The sentences of people and tokens, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase, words

SENTENCES: Mapping[str, str] = {
    "token.bad": phrase("{field}: found {found!r}, expected {expected}."),
    "person.bad": phrase("{field}: found {found!r}, expected {expected}."),
    "person.last_administrator": phrase(
        "{user} is the only administrator who can sign in. Make someone else an administrator first."
    ),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    return words(SENTENCES[code], **facts)
