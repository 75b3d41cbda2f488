"""Lists in pages: a bounded limit, and a signed cursor that only the list that gave it understands."""

from __future__ import annotations

import hashlib
from typing import Any, TypeVar

from django.core import signing
from django.db.models import Model, QuerySet
from ninja import Field, Schema

from kafkaconsole.api.callers import ApiRequest
from kafkaconsole.api.errors import BadCursor

SALT = "kafkaconsole.api.cursor"
MOST = 200
FURTHEST = 10**9

Row = TypeVar("Row", bound=Model)


class PageQuery(Schema):
    """What every list takes."""

    limit: int = Field(50, ge=1, le=MOST, description="Items in one answer")
    cursor: str | None = Field(None, max_length=2000, description="`next` of the page before, unchanged")


def by_key(
    request: ApiRequest, rows: QuerySet[Row], query: PageQuery, *, field: str, newest_first: bool
) -> tuple[list[Row], str | None]:
    """A page of rows ordered by a unique field: rows that come or go meanwhile shift nothing."""
    last = _read(request, query.cursor, "key")
    if last is not None:
        rows = rows.filter(**{f"{field}__{'lt' if newest_first else 'gt'}": last})
    found = list(rows.order_by(f"-{field}" if newest_first else field)[: query.limit + 1])
    if len(found) <= query.limit:
        return found, None
    page = found[: query.limit]
    return page, _write(request, "key", getattr(page[-1], field))


def by_place(request: ApiRequest, rows: QuerySet[Row], query: PageQuery) -> tuple[list[Row], str | None]:
    """A page of rows in any order, by place: rows whose order changes meanwhile may come twice or not at all."""
    place = _read(request, query.cursor, "place") or 0
    if not isinstance(place, int) or not 0 <= place <= FURTHEST:
        raise BadCursor()
    found = list(rows[place : place + query.limit + 1])
    if len(found) <= query.limit:
        return found, None
    return found[: query.limit], _write(request, "place", place + query.limit)


def _write(request: ApiRequest, kind: str, value: object) -> str:
    return signing.dumps([kind, value, _list_of(request)], salt=SALT)


def _read(request: ApiRequest, cursor: str | None, kind: str) -> Any:
    if cursor is None:
        return None
    try:
        told = signing.loads(cursor, salt=SALT)
    except signing.BadSignature as error:
        raise BadCursor() from error
    if not isinstance(told, list) or len(told) != 3 or (told[0], told[2]) != (kind, _list_of(request)):
        raise BadCursor()
    return told[1]


def _list_of(request: ApiRequest) -> str:
    """The list's address and filters; the limit may change from page to page."""
    filters = sorted((name, value) for name, value in request.GET.items() if name not in ("cursor", "limit"))
    return hashlib.sha256(repr((request.path_info, filters)).encode()).hexdigest()[:16]
