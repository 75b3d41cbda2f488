"""The sentences of the record, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase, words

SENTENCES: Mapping[str, str] = {
    "audit.anchor_unreadable": phrase("Line {line} is no anchor of the audit record. Take the file as it was written."),
    "audit.too_young_to_seal": phrase(
        "Events stay in the database until {earliest}, and {before} was asked for. Name an earlier instant, "
        "or shorten AUDIT_KEEP_S."
    ),
    "audit.nothing_to_seal": phrase("No event was recorded before {before}, so there is nothing to seal."),
    "audit.check_under_way": phrase(
        "A worker is walking the audit record for the first time: {checked} of {total} events. Ask again in a minute."
    ),
    "audit.broken": phrase(
        "The record does not hold together at event {number} ({why}). Look into that with `manage.py audit verify` "
        "and a backup before anything is taken out of it."
    ),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    return words(SENTENCES[code], **facts)
