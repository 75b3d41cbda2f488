"""A process that executes one request and stops itself (SIGSTOP) when everything is asked and only the write is left.

Run as `python -m tests.resets.stopped_at_the_write REQUEST_ID`; the environment names the database.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from typing import Any

import django

A_STOP = 2.0
"""Seconds between two looks at the clock that only a stop explains; the test stops this process for longer."""


def main(request_id: int) -> None:
    """Execute; the first time that a write asks who coordinates the group, stop after the answer."""
    django.setup()
    from kafkaconsole.clusters.connections import offset_admin  # its models are there only now
    from kafkaconsole.kafka.groups import KafkaOffsetAdmin
    from kafkaconsole.kafka.wire import Wire
    from kafkaconsole.resets import actions

    find, send = Wire.coordinators, KafkaOffsetAdmin._send_write
    writing: list[bool] = []

    async def find_and_stop(self: Wire, groups: Sequence[str]) -> Any:
        found = await find(self, groups)
        if writing.pop() if writing else False:
            _stop()
        return found

    async def send_soon(self: KafkaOffsetAdmin, *arguments: Any) -> Any:
        writing.append(True)
        return await send(self, *arguments)

    setattr(Wire, "coordinators", find_and_stop)  # noqa: B010
    setattr(KafkaOffsetAdmin, "_send_write", send_soon)  # noqa: B010
    actions.execute(request_id=request_id, connect=offset_admin)


def _stop() -> None:
    """Stop, and go on only after it: the system may stop another thread first and let this one run on for a moment."""
    seen = time.monotonic()
    os.kill(os.getpid(), signal.SIGSTOP)
    while (now := time.monotonic()) - seen < A_STOP:
        seen = now


if __name__ == "__main__":
    main(int(sys.argv[1]))
