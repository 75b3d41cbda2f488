"""Reads about exports, always for a person; what is someone else's is a 404."""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.records.models import RUNNING, ExportChunk, ExportState, RecordExport, RecordLook
from kafkaconsole.resets.models import ResetRequest

CHUNKS_AT_ONCE = 16


def export_for(user: User, export_id: int) -> RecordExport:
    """An export that this very person asked for; messages are shown to nobody else. Http404 otherwise."""
    return get_object_or_404(RecordExport.objects.select_related("request__cluster"), pk=export_id, by=user)


def look_for(user: User, look_id: int) -> RecordLook:
    """A look that this very person asked for. Http404 otherwise."""
    return get_object_or_404(RecordLook.objects.select_related("cluster", "request"), pk=look_id, by=user)


def latest_for(user: User, request: ResetRequest) -> RecordExport | None:
    """The person's newest export of this request."""
    return RecordExport.objects.filter(request=request, by=user).order_by("-id").first()


def running_count(user: User) -> int:
    """How many exports work for this person now."""
    return RecordExport.objects.filter(by=user, state__in=RUNNING).count()


def chunks_from(export: RecordExport, number: int) -> list[ExportChunk]:
    """At most CHUNKS_AT_ONCE chunks from `number` on."""
    return list(export.chunks.filter(number__gte=number).order_by("number")[:CHUNKS_AT_ONCE])


def first_records(export: RecordExport, count: int) -> list[dict[str, Any]]:
    """The first `count` records as JSON values, as far as they have been read."""
    return [json.loads(line) for line in itertools.islice(_lines(export), count)]


def left_behind(now: datetime) -> QuerySet[RecordExport]:
    """Exports that wait without a message, or whose worker has gone: its lease ran out."""
    waiting = Q(state=ExportState.WAITING, created_at__lte=now - settings.NUDGE_AFTER)
    return RecordExport.objects.filter(waiting | Q(state=ExportState.READING, lease_until__lte=now)).order_by("id")


def past_keeping(keep: timedelta) -> QuerySet[RecordExport]:
    """Ended exports older than `keep`."""
    return RecordExport.objects.filter(ended_at__lt=timezone.now() - keep)


def _lines(export: RecordExport) -> Iterator[bytes]:
    number = 0
    while chunks := chunks_from(export, number):
        for chunk in chunks:
            yield from zlib.decompress(chunk.lines).split(b"\n")[:-1]
        number = chunks[-1].number + 1
