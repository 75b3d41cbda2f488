"""What the tests of the local Kafka share: is a process gone, and a script to kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools.kafka.waiting import comes_true

REPOSITORY = Path(__file__).parents[3]

Started = subprocess.Popen[str]


def is_gone(pid: int) -> bool:
    """Whether the process has ended (one that nobody has waited for yet has ended too)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


def ended_by_itself(pid: int, *, limit: float = 10.0) -> bool:
    """Whether the process ended within `limit` seconds; one that did not is killed, so that a failed test leaves nothing."""
    if comes_true(lambda: is_gone(pid), limit=limit):
        return True
    os.kill(pid, signal.SIGKILL)
    return False


@pytest.fixture
def start_python() -> Iterator[Callable[..., Started]]:
    """Starts a Python of its own from the repository's folder; what still runs at the end is killed."""
    started: list[Started] = []

    def start(*arguments: str) -> Started:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        child = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=REPOSITORY,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.kill()
        child.wait(timeout=10)
        for pipe in (child.stdout, child.stderr):  # not read to their end: a forgotten grandchild would hold them open
            if pipe is not None:
                pipe.close()
