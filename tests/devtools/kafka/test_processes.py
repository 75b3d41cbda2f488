"""Children end with the process that started them, not with the thread."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

from devtools.kafka.processes import Child, start_bound
from devtools.kafka.waiting import comes_true
from tests.devtools.kafka.conftest import Started, ended_by_itself, is_gone

STARTS_A_CHILD = """
import time
from devtools.kafka.processes import start_bound
print(start_bound(["sleep", "600"]).pid, flush=True)
time.sleep(600)
"""


def test_a_child_is_killed_when_its_parent_is_killed(start_python: Callable[..., Started]) -> None:
    parent = start_python("-c", STARTS_A_CHILD)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert not is_gone(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait(timeout=10)
    assert ended_by_itself(child)


def test_a_child_outlives_the_thread_that_asked_for_it() -> None:
    started: list[Child] = []
    thread = threading.Thread(target=lambda: started.append(start_bound(["sleep", "600"])))
    thread.start()
    thread.join()
    (child,) = started
    try:
        assert comes_true(lambda: b"sleep" in open_command(child.pid), limit=10)
        assert not comes_true(lambda: child.poll() is not None, limit=0.5)
    finally:
        child.kill()
        child.wait(timeout=10)


def open_command(pid: int) -> bytes:
    with open(f"/proc/{pid}/cmdline", "rb") as words:  # noqa: PTH123 - a path of the kernel
        return words.read()


def test_a_child_whose_parent_is_gone_already_does_not_start(start_python: Callable[..., Started]) -> None:
    claims_another_parent = (
        "import os, subprocess, sys; from devtools.kafka import processes; words = processes.bound_command(['echo', 'ran']);"
        "words[words.index(str(os.getpid()))] = '1'; sys.exit(subprocess.run(words).returncode)"
    )
    asked = start_python("-c", claims_another_parent)
    assert asked.communicate(timeout=10) == ("", "")
    assert asked.returncode == 1


def test_a_program_that_does_not_exist_is_said_to_whoever_asked() -> None:
    child = start_bound(["/nowhere/at/all"])
    assert child.wait(timeout=10) != 0
    assert child.pid != os.getpid()
