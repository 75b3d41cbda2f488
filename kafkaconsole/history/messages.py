"""The sentences of the history, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase, words

SENTENCES: Mapping[str, str] = {
    "history.bad_range": phrase("{field}: found {found}, expected {expected}."),
    "history.turn_lost": phrase(
        "The sweep took longer than its lease, and another one took over. Nothing of it was stored."
    ),
    "history.sweep_died": phrase("The worker stopped in the middle of the sweep. Nothing of it was stored."),
    "history.sweep_broke": phrase(
        "The sweep broke with an unforeseen error ({error}); the worker's log has the details."
    ),
    "history.still_running": phrase(
        "The sweep before was still running, so this one was skipped. A longer interval may be needed."
    ),
    "history.clock_went_back": phrase(
        "The clock of the worker's machine is {seconds} s behind the reading before. Samples are kept in order; check the clock."
    ),
    "history.measured_in_part": phrase(
        "{count} of the things asked for could not be read. The first: {what} {name} ({kind} {kafka_error})."
    ),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence of a code; KeyError for a code or a fact that this app does not know."""
    return words(SENTENCES[code], **facts)
