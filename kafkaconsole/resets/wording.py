"""Parts of sentences: names, partitions, moments and lengths of time in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from kafkaconsole.resets.instants import duration_words, utc_text
from kafkaconsole.words import counted, joined, known, phrase, words

Facts = Mapping[str, object]
Sentence = str | Callable[[Facts], str]


def listed(names: object, *, most: int = 5) -> str:
    """Names in words: "a, b and 3 more"."""
    if not isinstance(names, list | tuple):
        return str(names)
    return and_more(joined(name if isinstance(name, str) else str(name) for name in names[:most]), len(names) - most)


def and_more(told: str, rest: int) -> str:
    """What is told, and how many more there are."""
    return words("{told} and {rest} more", told=told, rest=rest) if rest > 0 else told


def moment(at: object) -> str:
    """An instant in UTC, from a value or as a row keeps it."""
    return utc_text(at if isinstance(at, datetime) else datetime.fromisoformat(str(at)))


def partitions(facts: Facts) -> str:
    """ "3 partitions (t-0, t-1, t-2)" from the facts of a warning."""
    count = int(str(facts["count"]))
    names = facts["partitions"]
    told = joined(map(str, names[:5])) if isinstance(names, list | tuple) else str(names)
    return counted(
        "{count} partition ({names})", "{count} partitions ({names})", count, names=and_more(told, count - 5)
    )


def seconds(age: object) -> str:
    """Whole seconds as people say them."""
    return duration_words(timedelta(seconds=int(str(age))))


STATES = (
    phrase("planning"),
    phrase("planned"),
    phrase("plan failed"),
    phrase("approved"),
    phrase("waiting"),
    phrase("executing"),
    phrase("uncertain"),
    phrase("applied"),
    phrase("partly applied"),
    phrase("failed"),
    phrase("rejected"),
    phrase("cancelled"),
    phrase("expired"),
    phrase("stale"),
)
"""How each state of a request stands inside a sentence (`states.State`, its value with blanks)."""


def state_words(state: object) -> str:
    """A state of a request, or a decision, inside a sentence."""
    return known(str(state).replace("_", " "))
