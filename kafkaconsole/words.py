"""Texts for people that are English to machines and the reader's language on a page (docs/decisions/0044).

`Words` is a `str` whose value is the English text, so rows, the audit record, logs, the API and comparisons get English
without asking. It also remembers what it was made of; `shown` says that in the language in force, and a template does so
by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Self

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext

PLAIN = (str, int, float, type(None), Mapping, list, tuple)


class Words(str):
    """English text that can be said in another language. Made by `words`, `counted` and `joined` only."""

    parts: tuple[str, ...] = ()
    number: int | None = None
    facts: Mapping[str, object] | None = None
    between: str | None = None
    context: str | None = None

    @classmethod
    def of(cls, parts: tuple[str, ...], facts: Mapping[str, object], number: int | None = None) -> Self:
        """One text, or its singular and plural, filled with facts. KeyError: the text names a fact that is not there."""
        made = cls((parts[0] if number in (None, 1) else parts[1]).format_map(facts))
        made.parts, made.facts, made.number = parts, facts, number
        return made

    def said(self) -> str:
        """The text in the language in force."""
        if self.between is not None:
            return self.between.join(map(shown, self.parts))
        if self.facts is None:
            return self._known()
        text = gettext(self.parts[0]) if self.number is None else ngettext(self.parts[0], self.parts[1], self.number)
        return text.format_map(
            {name: shown(fact) if isinstance(fact, str) else fact for name, fact in self.facts.items()}
        )

    def _known(self) -> str:
        if not self.parts:
            return str(self)
        return gettext(self.parts[0]) if self.context is None else pgettext(self.context, self.parts[0])

    def __html__(self) -> SafeString:
        """How templates ask for it."""
        return escape(self.said())


def phrase(text: str) -> str:
    """Mark a text for the translators where it is filled elsewhere; it comes back as it is."""
    return text


def phrase_in(context: str, text: str) -> str:
    """The same for a text that means different things in different places; `context` says to translators where it stands."""
    return text


def words(text: str, /, **facts: object) -> Words:
    """A text with `{name}` for each fact. Facts may be `Words` themselves."""
    return Words.of((text,), _plain(facts))


def counted(one: str, many: str, number: object, /, **facts: object) -> Words:
    """A text for one and for many; `{count}` is the number with its thousands apart."""
    count = int(str(number))
    return Words.of((one, many), _plain({"count": f"{count:,}", **facts}), count)


def joined(parts: Iterable[str], between: str = ", ") -> Words:
    """Texts one after the other, each said in its own way."""
    held = tuple(parts)
    made = Words(between.join(held))
    made.parts, made.between = held, between
    return made


def shown(text: object) -> str:
    """What a person reads: `Words` in the language in force, anything else as it is."""
    return text.said() if isinstance(text, Words) else str(text)


def known(text: object, context: str | None = None) -> str:
    """A text that a row kept: said in the language in force where it is one of ours, otherwise as it is."""
    if isinstance(text, Words):
        return text
    made = Words(str(text))
    made.parts, made.context = ((str(text),) if text else ()), context
    return made


def _plain(facts: Mapping[str, object]) -> dict[str, object]:
    """Facts without rows and other things that change or cannot be sent elsewhere."""
    return {name: fact if isinstance(fact, PLAIN) else str(fact) for name, fact in facts.items()}
