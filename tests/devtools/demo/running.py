"""A demo started the way `make demo` starts it, watched from outside."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from devtools.demo.layout import ROOT
from devtools.kafka import ports
from devtools.kafka.processes import Child, start_bound
from devtools.kafka.waiting import comes_true
from devtools.servers.asking import ask

START_LIMIT_SECONDS = 240.0
STOP_LIMIT_SECONDS = 120.0
READY = "Ctrl-C stops all of it"


class Demo:
    """One `python -m devtools.demo.run` with a folder and ports of its own."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        (self.web_port, self.kafka_port, self.valkey_port) = ports.free_ports(3)
        self.environment = {
            **os.environ,
            "DEMO_DIR": str(folder),
            "DEMO_PORT": str(self.web_port),
            "DEMO_KAFKA_PORT": str(self.kafka_port),
            "DEMO_VALKEY_PORT": str(self.valkey_port),
            # Celery names its processes by setproctitle where that is there, which else writes over the environment by
            # which `processes` knows them.
            "SPT_NOENV": "1",
            **environment,
        }
        self.child: Child | None = None
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.said: list[str] = []

    def start(self) -> float:
        """Return when it says how to sign in; how many seconds that took."""
        return self._start_until(READY)

    def start_and_interrupt(self, line: str) -> None:
        """Start it, and press Ctrl-C once it says this line."""
        self._start_until(line)
        assert self.runs(), f"The demo ended. It said:\n{self.text()}"
        assert self.send(signal.SIGINT) == 0, self.text()

    def _start_until(self, line: str) -> float:
        began = time.monotonic()
        self._lines, self.said = queue.SimpleQueue(), []
        self.child = start_bound(
            [sys.executable, "-m", "devtools.demo.run"],
            output=subprocess.PIPE,
            errors=subprocess.STDOUT,
            folder=ROOT,
            environment=self.environment,
        )
        threading.Thread(target=_listen, args=(self.child, self._lines), daemon=True).start()
        ready = comes_true(lambda: line in self.text() or not self.runs(), limit=START_LIMIT_SECONDS, every=0.1)
        assert ready, f"The demo does not get ready. It said:\n{self.text()}"
        return time.monotonic() - began

    def runs(self) -> bool:
        """Whether its first process is alive."""
        return self.child is not None and self.child.poll() is None

    def text(self) -> str:
        """All that it printed so far."""
        with suppress(queue.Empty):
            while True:
                self.said.append(self._lines.get_nowait())
        return "".join(self.said)

    def send(self, number: signal.Signals) -> int:
        """Send a signal to its first process alone and wait for the end; the exit code."""
        assert self.child is not None
        self.child.send_signal(number)
        return self.child.wait(STOP_LIMIT_SECONDS)

    def facts(self) -> dict[str, Any]:
        """What `demo.json` says."""
        return dict(json.loads((self.folder / "demo.json").read_text()))

    def user(self, name: str) -> Mapping[str, str]:
        """One of the people in `demo.json`."""
        return next(one for one in self.facts()["users"] if one["name"] == name)

    def get(self, path: str, token: str) -> Any:
        """GET from the API by a token."""
        call = urllib.request.Request(
            f"{self.facts()['url']}/api/v1{path}", headers={"Authorization": f"Bearer {token}"}
        )
        with ask(call, timeout=30) as answer:
            return json.loads(answer.read())

    def cookies(self) -> set[str]:
        """The names of the cookies that the sign-in page sets."""
        with ask(f"{self.facts()['url']}/accounts/login/", timeout=30) as answer:
            return {line.partition("=")[0] for line in answer.headers.get_all("Set-Cookie", [])}

    def log(self, name: str) -> str:
        """All that one of its processes wrote."""
        return (self.folder / "logs" / f"{name}.log").read_text(errors="replace")

    def processes(self) -> dict[int, str]:
        """Every process that has this demo in its environment (all of its descendants, wherever they hang), by pid."""
        mark = f"DEMO_DIR={self.folder}\0".encode()
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                with suppress(OSError):
                    if mark in (entry / "environ").read_bytes() and not _has_ended(entry):
                        found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return found

    def leaves_nothing(self) -> bool:
        """Whether all of its processes are gone within the limit."""
        return comes_true(lambda: not self.processes(), limit=STOP_LIMIT_SECONDS, every=0.2)


def _listen(child: Child, lines: queue.SimpleQueue[str]) -> None:
    assert child.stdout is not None
    for line in child.stdout:
        lines.put(line.decode(errors="replace"))


def _has_ended(entry: Path) -> bool:
    """A zombie has ended; only its parent has not looked yet."""
    return (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z"


@contextmanager
def started(demo: Demo) -> Iterator[Demo]:
    """The demo, ready; at the end nothing of it is left, whatever happened."""
    try:
        demo.start()
        assert demo.runs(), f"The demo ended. It said:\n{demo.text()}"
        yield demo
    finally:
        if demo.runs():
            demo.send(signal.SIGTERM)
        for pid in demo.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
