"""What the tests of the local Kafka share: is a process gone, and a script to kill."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]

Started = subprocess.Popen[str]


def is_gone(pid: int) -> bool:
    """Whether the process has ended (one that nobody has waited for yet has ended too)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


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
        child.communicate()
