"""What people read for an error, a warning or a problem: found by code in the `messages` modules of the apps
and in `kafka.sentences`.

Each has `sentence(code, facts) -> str` and raises KeyError for a code that is not its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

from django.apps import apps

from kafkaconsole.words import known, shown, words

OUTSIDE_APPS = ("kafkaconsole.kafka.sentences",)


class Messages(Protocol):
    """A module of sentences."""

    def sentence(self, code: str, facts: Mapping[str, object]) -> str: ...


@cache
def sources() -> tuple[Messages, ...]:
    """Every `messages` module of the console."""
    packages = [config.name for config in apps.get_app_configs() if config.name.startswith("kafkaconsole.")]
    found = [f"{package}.messages" for package in packages if find_spec(f"{package}.messages")]
    return tuple(cast(Messages, import_module(name)) for name in (*found, *OUTSIDE_APPS))


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code, English by itself and in the reader's language on a page (`kafkaconsole.words`).

    One that no app knows is told by its code and facts: a refusal is never silent.
    """
    if isinstance(facts.get("expected"), str):
        facts = {**facts, "expected": known(facts["expected"])}
    for source in sources():
        try:
            return source.sentence(code, facts)
        except KeyError:
            continue
    return _general(code, facts)


def _general(code: str, facts: Mapping[str, object]) -> str:
    if facts.get("reason"):
        return known(facts["reason"])
    told = ", ".join(f"{name}: {shown(value)}" for name, value in facts.items())
    return words("Refused with code {code} ({facts}).", code=code, facts=told or words("no further facts"))
