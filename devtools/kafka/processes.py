"""Child processes that cannot outlive us.

Linux kills such a child when the *thread* that started it ends (prctl(2), PR_SET_PDEATHSIG). So all of them are started
by one thread that lives as long as the process.
"""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import IO

Child = subprocess.Popen[bytes]

# The shell closes the gap in which the parent dies before the signal is asked for.
_ONLY_WITH_PARENT = 'test "$PPID" = "$0" && exec "$@"'


@dataclass(frozen=True)
class _Starter:
    """The thread that starts children, and the process it belongs to (a forked child needs one of its own)."""

    pid: int
    wanted: queue.SimpleQueue[tuple[Callable[[], Child], Future[Child]]]


_starter: _Starter | None = None
_starter_lock = threading.Lock()


def start_bound(
    command: Sequence[str],
    *,
    output: int | IO[bytes] | None = None,
    errors: int | IO[bytes] | None = None,
    input_from: int = subprocess.DEVNULL,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Child:
    """Start `command` so that it is killed (SIGKILL) when this process ends, however that happens.

    The child gets a session of its own: Ctrl-C in a terminal reaches us, and we stop it in our order.
    `environment` is all it gets; None: what this process has.
    Where `setpriv` (util-linux) is missing, the child runs without that bond.
    """

    def start() -> Child:
        return subprocess.Popen(
            bound_command(command),
            stdin=input_from,
            stdout=output,
            stderr=errors,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )

    started: Future[Child] = Future()
    _starting_thread().wanted.put((start, started))
    return started.result()


def bound_command(command: Sequence[str]) -> list[str]:
    """The command line that asks the kernel for the bond to this process and then becomes `command`."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return list(command)
    return [setpriv, "--pdeathsig", "KILL", "sh", "-c", _ONLY_WITH_PARENT, str(os.getpid()), *command]


def _starting_thread() -> _Starter:
    global _starter
    with _starter_lock:
        if _starter is None or _starter.pid != os.getpid():
            _starter = _Starter(pid=os.getpid(), wanted=queue.SimpleQueue())
            threading.Thread(target=_start_forever, args=(_starter,), name="starts-children", daemon=True).start()
        return _starter


def _start_forever(starter: _Starter) -> None:
    while True:
        start, started = starter.wanted.get()
        try:
            started.set_result(start())
        except Exception as error:  # handed to whoever asked, not swallowed
            started.set_exception(error)
