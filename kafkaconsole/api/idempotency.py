"""The same key with the same body gives the first answer again; two at once are carried out once.

Only what was done is kept: a refusal did nothing, so the same call may be made again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from ninja import Schema

from kafkaconsole.api import errors
from kafkaconsole.api.callers import ApiRequest
from kafkaconsole.api.models import IdempotencyRecord

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEY = re.compile(r"[\x21-\x7e]{1,200}")
KEPT = timedelta(hours=24)
JSON = "application/json; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a write answers. `again` is what a repeated call gets where the first answer holds a secret."""

    status: int
    body: Schema | None = None
    location: str = ""
    again: Schema | None = None


def once(request: ApiRequest, write: Callable[[], Answer]) -> HttpResponse:
    """Carry out a write, under the call's Idempotency-Key if it has one."""
    key = request.headers.get(HEADER)
    if key is None:
        return _response(write())
    if not KEY.fullmatch(key):
        raise errors.BadKey(field=HEADER, found=f"{len(key)} characters", expected="1 to 200 visible ASCII characters")
    fingerprint = _fingerprint(request)
    kept = _find(request, key)
    if kept is None:
        answer = _first(request, key, fingerprint, write)
        if answer is not None:
            return _response(answer)
        kept = _find(request, key)
    if kept is None:
        raise errors.KeyInUse(key=key)
    return _again(kept, fingerprint)


def tidy() -> int:
    """Drop answers older than KEPT; returns how many."""
    return _old().delete()[0]


def _old() -> QuerySet[IdempotencyRecord]:
    return IdempotencyRecord.objects.filter(created_at__lt=timezone.now() - KEPT)


@transaction.atomic
def _first(request: ApiRequest, key: str, fingerprint: str, write: Callable[[], Answer]) -> Answer | None:
    """None when another call with this key was first: the insert waits for it and then fails."""
    _old().filter(user=request.auth.user, key=key).delete()  # its time is over, only nobody has tidied yet
    try:
        with transaction.atomic():
            row = IdempotencyRecord.objects.create(
                user=request.auth.user, key=key, call=_call(request), fingerprint=fingerprint
            )
    except IntegrityError:
        return None
    answer = write()
    row.status, row.location = answer.status, answer.location
    row.body = _text(answer.again or answer.body)
    row.save(update_fields=["status", "location", "body"])
    return answer


def _find(request: ApiRequest, key: str) -> IdempotencyRecord | None:
    return IdempotencyRecord.objects.filter(
        user=request.auth.user, key=key, created_at__gte=timezone.now() - KEPT
    ).first()


def _again(kept: IdempotencyRecord, fingerprint: str) -> HttpResponse:
    if kept.fingerprint != fingerprint:
        raise errors.KeyReused(key=kept.key, first=kept.call)
    answer = _http(kept.status, kept.body, kept.location)
    answer[REPLAYED] = "true"
    return answer


def _response(answer: Answer) -> HttpResponse:
    return _http(answer.status, _text(answer.body), answer.location)


def _http(status: int, body: str, location: str) -> HttpResponse:
    answer = HttpResponse(body, status=status, content_type=JSON)
    if not body:
        del answer["Content-Type"]
    if location:
        answer["Location"] = location
    return answer


def _text(body: Schema | None) -> str:
    return "" if body is None else body.model_dump_json(by_alias=True)


def _call(request: ApiRequest) -> str:
    return f"{request.method} {request.get_full_path()}"[:2100]


def _fingerprint(request: ApiRequest) -> str:
    told = f"{request.method}\n{request.get_full_path()}\n".encode() + request.body
    return salted_hmac("kafkaconsole.api.idempotency", told, algorithm="sha256").hexdigest()
