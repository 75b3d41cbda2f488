"""Errors as rows keep them: a code and facts in plain JSON; sentences are made when someone reads them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import datetime, timedelta
from enum import Enum

from kafkaconsole.errors import ConsoleError


def problem_of(error: ConsoleError) -> dict[str, object]:
    """`{"code", "facts"}`, fit for a JSON column."""
    return problem(error.code, **error.facts)


def problem(code: str, **facts: object) -> dict[str, object]:
    """`{"code", "facts"}`, fit for a JSON column."""
    return {"code": code, "facts": plain(facts)}


def plain(value: object) -> object:
    """A value in JSON's kinds: instants as RFC 3339, durations in seconds, what JSON does not know as text.

    NUL is shown as `\\0`: PostgreSQL's JSON takes none. Numbers with a fraction become text, so that what a keyed
    hash covers reads back the same from every database.
    """
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, Mapping):
        return {str(plain(str(key))): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value.total_seconds())
    return str(value).replace("\0", "\\0")
