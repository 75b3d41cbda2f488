"""How a web process waits for a row to change: without holding a database connection that others could use."""

from __future__ import annotations

import time

from django.db import close_old_connections, transaction


def rest(seconds: float) -> None:
    """Sleep; a pooled connection is given back first. Inside a transaction it stays, for its work is not done."""
    if not transaction.get_connection().in_atomic_block:
        close_old_connections()
    time.sleep(seconds)
