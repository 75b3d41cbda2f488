"""Lets a call wait for the workers, within bounds, by looking at the database."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from kafkaconsole.pauses import rest

LONGEST_S = 20
POLL_S = 0.2

Row = TypeVar("Row")


def until(read: Callable[[], Row], is_done: Callable[[Row], bool], wait_s: float) -> Row:
    """`read` again and again until it is done or the time is over; the last reading either way."""
    deadline = time.monotonic() + min(wait_s, LONGEST_S)
    while True:
        row = read()
        left = deadline - time.monotonic()
        if left <= 0 or is_done(row):
            return row
        rest(min(POLL_S, left))
