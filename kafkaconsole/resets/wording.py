"""Parts of sentences: names, partitions, moments and lengths of time in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from kafkaconsole.resets.instants import duration_words, utc_text
from kafkaconsole.words import counted, joined, known, phrase_in, words

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
    phrase_in("state", "planning"),
    phrase_in("state", "planned"),
    phrase_in("state", "plan failed"),
    phrase_in("state", "approved"),
    phrase_in("state", "waiting"),
    phrase_in("state", "executing"),
    phrase_in("state", "uncertain"),
    phrase_in("state", "applied"),
    phrase_in("state", "partly applied"),
    phrase_in("state", "failed"),
    phrase_in("state", "rejected"),
    phrase_in("state", "cancelled"),
    phrase_in("state", "expired"),
    phrase_in("state", "stale"),
)
"""How each state of a request stands inside a sentence (`states.State`, its value with blanks)."""


def state_words(state: object) -> str:
    """A state of a request, or a decision, inside a sentence."""
    return known(str(state).replace("_", " "), "state")
