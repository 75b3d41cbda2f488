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
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters.models import Right
from kafkaconsole.groups.permissions import may
from kafkaconsole.records.models import RUNNING, ExportChunk, ExportState, RecordExport, RecordLook
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.queries import requests_for

CHUNKS_AT_ONCE = 16


def export_for(user: User, export_id: int) -> RecordExport:
    """An export that this very person asked for, of a request that they still see; messages are shown to nobody else.
    Http404 otherwise."""
    mine = RecordExport.objects.select_related("request__cluster").filter(by=user)
    return get_object_or_404(mine.filter(request__in=requests_for(user).values("pk")), pk=export_id)


def look_for(user: User, look_id: int) -> RecordLook:
    """A look that this very person asked for, where the group is still shown to them. Http404 otherwise."""
    look = get_object_or_404(
        RecordLook.objects.select_related("cluster__environment", "request__team"), pk=look_id, by=user
    )
    team = look.request.team if look.request else None
    if not may(user, Right.SEE, cluster=look.cluster, group=look.group_name, team=team):
        raise Http404(f"There is no look {look_id} that you may see.")
    return look


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
