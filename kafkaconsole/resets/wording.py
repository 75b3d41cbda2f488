"""Parts of sentences: names, partitions, moments and lengths of time in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from kafkaconsole.resets.instants import duration_words, utc_text

Facts = Mapping[str, object]
Sentence = str | Callable[[Facts], str]


def listed(names: object, *, most: int = 5) -> str:
    """Names in words: "a, b and 3 more"."""
    if not isinstance(names, list | tuple):
        return str(names)
    shown, rest = [str(name) for name in names[:most]], len(names) - most
    return ", ".join(shown) + (f" and {rest} more" if rest > 0 else "")


def moment(at: object) -> str:
    """An instant in UTC, from a value or as a row keeps it."""
    return utc_text(at if isinstance(at, datetime) else datetime.fromisoformat(str(at)))


def partitions(facts: Facts) -> str:
    """ "3 partitions (t-0, t-1, t-2)" from the facts of a warning."""
    count = facts["count"]
    names = facts["partitions"]
    more = f" and {int(str(count)) - 5} more" if int(str(count)) > 5 else ""
    shown = ", ".join(map(str, names[:5])) if isinstance(names, list | tuple) else str(names)
    return f"{count} partition{'' if count == 1 else 's'} ({shown}{more})"


def seconds(age: object) -> str:
    """Whole seconds as people say them."""
    return duration_words(timedelta(seconds=int(str(age))))
