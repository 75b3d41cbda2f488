"""Who works at a row before anything is written: a short lease, lengthened for as long as its worker lives.

The row's `holder` is a mark of this one try, its `nudge_at` the end of the lease: then a tick sends the row's message
again and takes the mark away. Whoever ends the work does so by `UPDATE … WHERE holder = mine`, so what a worker finds
out after it lost its lease is not stored. An attempt, which writes, has a lease of its own (`execution.claims`).
"""

from __future__ import annotations

import uuid
from contextlib import AbstractContextManager
from typing import TypeVar

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from kafkaconsole import renewals
from kafkaconsole.resets.models import Preview, ResetRequest

Row = TypeVar("Row", ResetRequest, Preview)


def take(rows: QuerySet[Row]) -> uuid.UUID | None:
    """Hold the one row for WORK_LEASE; None when it is not there (any more) or another worker's lease lives."""
    now, holder = timezone.now(), uuid.uuid4()
    free = Q(holder=None) | Q(nudge_at__lte=now)
    return holder if rows.filter(free).update(holder=holder, nudge_at=now + settings.WORK_LEASE) else None


def renewed(rows: QuerySet[Row]) -> AbstractContextManager[None]:
    """Lengthen the lease of the one row beside whatever the block does; `rows` names the holder."""
    return renewals.renewed(lambda: rows.update(nudge_at=timezone.now() + settings.WORK_LEASE), settings.WORK_LEASE)
