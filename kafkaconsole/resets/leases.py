"""Who works at a row before anything is written: a short lease, lengthened for as long as its worker lives.

The row's `holder` is a mark of this one try, its `nudge_at` the end of the lease: then a tick sends the row's message
again and takes the mark away. Whoever ends the work does so by `UPDATE … WHERE holder = mine`, so what a worker finds
out after it lost its lease is not stored. An attempt, which writes, has a lease of its own (`execution.claims`).
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q, QuerySet
from django.utils import timezone

from kafkaconsole.resets.models import Preview, ResetRequest

logger = logging.getLogger(__name__)

Row = TypeVar("Row", ResetRequest, Preview)

RENEWALS = 4
"""So many times in the length of a lease it is lengthened: some may come late, or fail."""


def take(rows: QuerySet[Row]) -> uuid.UUID | None:
    """Hold the one row for WORK_LEASE; None when it is not there (any more) or another worker's lease lives."""
    now, holder = timezone.now(), uuid.uuid4()
    free = Q(holder=None) | Q(nudge_at__lte=now)
    return holder if rows.filter(free).update(holder=holder, nudge_at=now + settings.WORK_LEASE) else None


@contextmanager
def renewed(rows: QuerySet[Row]) -> Iterator[None]:
    """Lengthen the lease of the one row beside whatever the block does; `rows` names the holder.

    A thread does it, on a connection of its own: it stops with the process (killed or paused), with the block, and as
    soon as the row is no longer ours.
    """
    ended = threading.Event()
    thread = threading.Thread(target=_renew, args=(rows, ended), name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _renew(rows: QuerySet[Row], ended: threading.Event) -> None:
    pause = settings.WORK_LEASE.total_seconds() / RENEWALS
    try:
        while not ended.wait(pause):
            try:
                if not rows.update(nudge_at=timezone.now() + settings.WORK_LEASE):
                    return
            except DatabaseError as error:  # busy or away: the next try may still be in time
                logger.warning("A lease could not be lengthened", extra={"reason": str(error)})
    finally:
        connection.close()
