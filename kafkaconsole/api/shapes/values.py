"""Kinds of values: instants, ids, offsets and problems as they stand in JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import BeforeValidator, Field, WithJsonSchema

from kafkaconsole.api import problems

RFC_3339 = re.compile(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})")
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)
MAX_64 = 2**63 - 1

InstantText = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
"""RFC 3339 in UTC with milliseconds and Z."""


def _read_instant(value: object) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, str) or not RFC_3339.fullmatch(value):
        raise ValueError("an instant in RFC 3339 with its zone, such as 2026-12-01T09:30:00Z (`+` is %2B in a URL)")
    try:
        instant = datetime.fromisoformat(value.upper()).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError("an instant that exists, in RFC 3339") from error
    if not EARLIEST <= instant < LATEST:
        raise ValueError("an instant from the year 1970 to 8999")
    return instant


InstantIn = Annotated[
    datetime, BeforeValidator(_read_instant), WithJsonSchema({"type": "string", "format": "date-time"})
]
RowId = Annotated[int, Field(ge=1, le=MAX_64)]
PartitionNumber = Annotated[int, Field(ge=0, le=2**31 - 1)]
Offset = Annotated[int, Field(ge=0, le=MAX_64)]


class ProblemOut(Schema):
    """An error (RFC 9457). `code` is stable; `detail` says what was found, what was expected and what to do."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    facts: dict[str, Any]


def problem(stored: Mapping[str, object] | None) -> ProblemOut | None:
    """A problem that a row keeps."""
    known = problems.of_stored(stored)
    return None if known is None else ProblemOut.model_validate(known)


def instant(at: datetime | None) -> str | None:
    """RFC 3339 in UTC with milliseconds; None stays None."""
    return None if at is None else instant_text(at)


def instant_text(at: datetime) -> str:
    """RFC 3339 in UTC with milliseconds."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
