"""Reading a mapping strictly: every problem is collected with its path, nothing is bent to fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.resets.errors import FieldProblem
from kafkaconsole.words import Words, words

INT64 = range(-(2**63), 2**63)
INT32_POSITIVE = range(0, 2**31)
LONGEST_SHOWN = 120

TOPIC_NAME = words("1 to 249 of the characters a–z, A–Z, 0–9, '.', '_', '-'")
_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}", re.ASCII)
_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")


def is_topic_name(text: str) -> bool:
    """Whether a topic can have this name."""
    return bool(_TOPIC.fullmatch(text)) and text not in (".", "..")


def shown(value: object) -> str:
    """A value as a refusal shows it: its kind told, its length bounded."""
    if value is None:
        return words("nothing")
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}… ({len(text)} characters)"


class Problems(list[FieldProblem]):
    """The problems found so far, in the order they were found."""

    def add(self, field: str, found: object, expected: str, line: int | None = None) -> None:
        """Note one problem; `found` is shown as it was sent."""
        text = found if isinstance(found, _AsIs | Words) else shown(found)
        self.append(FieldProblem(field=field, found=text, expected=expected, line=line))


class _AsIs(str):
    """Text that is already a sentence about what was found."""


def said(text: str) -> str:
    """Mark `text` as a sentence of ours, so that it is not quoted again."""
    return text if isinstance(text, Words) else _AsIs(text)


class Fields:
    """One JSON object being read. Each getter notes a problem and gives None when the field is not right.

    A field that is null counts as not given. `close` notes the fields that nobody asked for.
    """

    def __init__(self, value: Mapping[str, object], path: str, problems: Problems) -> None:
        self._value = value
        self._path = path
        self._asked: set[str] = set()
        self.problems = problems

    @classmethod
    def of(cls, value: object, path: str, problems: Problems) -> Fields | None:
        """`value` as an object with fields, or a problem."""
        if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
            return cls(value, path, problems)
        problems.add(path or "(body)", value, words("an object with fields"))
        return None

    def path(self, name: str) -> str:
        """Where the field `name` is, from the top of the change."""
        return f"{self._path}.{name}" if self._path else name

    def get(self, name: str) -> object | None:
        """The raw value of a field; None when it is absent or null."""
        self._asked.add(name)
        return self._value.get(name)

    def problem(self, name: str, found: object, expected: str, line: int | None = None) -> None:
        """Note that the field `name` is not right."""
        self.problems.add(self.path(name), found, expected, line)

    def text(self, name: str, expected: str, *, required: bool = True, longest: int = LONGEST_GROUP_NAME) -> str | None:
        """A text that is not empty, of at most `longest` characters that every database and Kafka can hold."""
        value = self.get(name)
        if value is None and not required:
            return None
        if not isinstance(value, str) or not value:
            self.problem(name, value, expected)
        elif len(value) > longest:
            self.problem(
                name, value, words("{expected}, of at most {most:,} characters", expected=expected, most=longest)
            )
        elif _UNWRITABLE.search(value):
            self.problem(
                name, value, words("{expected}, without NUL characters and halves of characters", expected=expected)
            )
        else:
            return value
        return None

    def topic(self, name: str, expected: str, *, required: bool = True) -> str | None:
        """A name that a topic can have."""
        value = self.text(name, expected, required=required)
        if value is None or is_topic_name(value):
            return value
        self.problem(name, value, words("{expected}: {rule}", expected=expected, rule=TOPIC_NAME))
        return None

    def integer(self, name: str, expected: str, within: range = INT64) -> int | None:
        """A whole number within `within`; true and false are not numbers."""
        value = self.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value in within:
            return value
        self.problem(name, value, expected)
        return None

    def flag(self, name: str) -> bool:
        """true or false; false when absent."""
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            self.problem(name, value, words("true or false"))
        return value is True

    def items(self, name: str, expected: str) -> Sequence[object] | None:
        """A list with something in it: an empty choice is never everything."""
        value = self.get(name)
        if isinstance(value, list | tuple) and value:
            return value
        self.problem(name, value, expected)
        return None

    def close(self, known: Iterable[str] = ()) -> None:
        """Note every field that is given and was not asked for."""
        expected = sorted(self._asked | set(known))
        for name, value in self._value.items():
            if name not in expected and value is not None:
                self.problem(name, value, words("no such field here; there is {names}", names=", ".join(expected)))
