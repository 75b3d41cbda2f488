"""A lease that is lengthened for as long as its worker lives: short, so that a dead worker's work is soon taken up."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import DatabaseError, connection

logger = logging.getLogger(__name__)

RENEWALS = 4
"""So many times in the length of a lease it is lengthened: some may come late, or fail."""


@contextmanager
def renewed(lengthen: Callable[[], int], lease: timedelta) -> Iterator[None]:
    """Call `lengthen` beside whatever the block does; it answers how many rows it changed, 0: the lease was lost.

    A thread does it, on a connection of its own: it stops with the process (killed or paused), with the block, and as
    soon as the lease is no longer ours.
    """
    ended = threading.Event()
    thread = threading.Thread(target=_renew, args=(lengthen, lease, ended), name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _renew(lengthen: Callable[[], int], lease: timedelta, ended: threading.Event) -> None:
    pause = lease.total_seconds() / RENEWALS
    try:
        while not ended.wait(pause):
            try:
                if not lengthen():
                    return
            except DatabaseError as error:  # busy or away: the next try may still be in time
                logger.warning("A lease could not be lengthened", extra={"reason": str(error)})
    finally:
        connection.close()
