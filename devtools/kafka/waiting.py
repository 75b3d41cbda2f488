"""Waiting for a condition, with a limit."""

from __future__ import annotations

import time
from collections.abc import Callable


def comes_true(condition: Callable[[], bool], *, limit: float, every: float = 0.05) -> bool:
    """Ask every `every` seconds, for at most `limit` seconds; whether the condition came true."""
    deadline = time.monotonic() + limit
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(every)
    return True
