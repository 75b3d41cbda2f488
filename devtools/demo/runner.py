"""supervisord as a child of ours: started, told what to start, watched, stopped."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.client import HTTPException
from types import TracebackType
from typing import Any, Self
from urllib.error import URLError
from xmlrpc.client import Error, Fault, ServerProxy

from supervisor.states import RUNNING_STATES, ProcessStates
from supervisor.xmlrpc import SupervisorTransport

from devtools.demo.layout import DemoRefused, Layout
from devtools.demo.programs import configuration, programs
from devtools.kafka.processes import Child, start_bound
from devtools.kafka.waiting import comes_true
from devtools.servers.asking import ask

START_LIMIT_SECONDS = 90.0
STOP_LIMIT_SECONDS = 90.0
_LOG_TAIL = 2000
_ALIVE = {*RUNNING_STATES, ProcessStates.STOPPING}


class Runner:
    """The process runner of one demo, in a `with`; it and all its processes end with us."""

    def __init__(self, layout: Layout, environment: Mapping[str, str]) -> None:
        self.layout = layout
        self._environment = environment
        self._child: Child | None = None

    def __enter__(self) -> Self:
        (self.layout.folder / "logs").mkdir(exist_ok=True)
        file = self.layout.folder / "supervisord.conf"
        file.write_text(configuration(self.layout))
        os.environ.update(self._environment)
        self._child = start_bound(
            [sys.executable, "-m", "supervisor.supervisord", "-c", str(file)],
            output=subprocess.DEVNULL,
            errors=subprocess.STDOUT,
        )
        try:
            self._wait(self._answers, "the process runner", "runner")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def runs(self) -> bool:
        """Whether the runner itself is alive."""
        return self._child is not None and self._child.poll() is None

    def wait_for_servers(self) -> None:
        """Return when Kafka and Valkey take connections."""
        self._wait(lambda: _accepts(self.layout.ports.valkey), "Valkey", "valkey")
        self._wait(lambda: _accepts(self.layout.ports.kafka), "Kafka", "kafka")

    def start_rest(self) -> None:
        """Start the web process, worker, beat and the shop, and return when the page answers and each of them stays up."""
        rest = [program.name for program in programs(self.layout) if not program.first]
        for name in rest:
            self._start(name)
        self._wait(self._page_answers, "the web process", "web")
        for name in rest:
            self._wait(partial(self._stays_up, name), f"The process {name}", name)

    def wait_until_it_ends(self) -> None:
        """Return when the runner itself ends, which it does not do by itself."""
        if self._child is not None:
            self._child.wait()

    def stop(self) -> None:
        """Stop what uses the servers, then the servers; what does not listen is killed. Twice does no harm."""
        child, self._child = self._child, None
        if child is None:
            return
        if child.poll() is None:
            # A runner that does not answer is stopped all the same, and stops the others one by one.
            with suppress(OSError, Error, HTTPException):
                self._stop_together([one.name for one in programs(self.layout) if not one.first])
                self._stop_together([one.name for one in programs(self.layout) if one.first])
            child.terminate()
        try:
            child.wait(STOP_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def _start(self, name: str) -> None:
        try:
            self._orders().supervisor.startProcess(name, False)
        except Fault as fault:
            if "ALREADY_STARTED" not in fault.faultString:
                raise DemoRefused(f"{name} could not be started: {fault.faultString}.") from fault

    def _stop_together(self, names: Collection[str]) -> None:
        """Ask them all at once and return when the last has ended; the runner kills those that take too long."""
        supervisor = self._orders().supervisor
        for name in names:
            with suppress(Fault):  # it does not run
                supervisor.stopProcess(name, False)

        def have_ended() -> bool:
            return not any(one["name"] in names and one["state"] in _ALIVE for one in supervisor.getAllProcessInfo())

        comes_true(have_ended, limit=STOP_LIMIT_SECONDS, every=0.1)

    def _orders(self) -> Any:
        return ServerProxy("http://127.0.0.1", transport=SupervisorTransport(serverurl=f"unix://{self.layout.socket}"))

    def _answers(self) -> bool:
        try:
            return bool(self._orders().supervisor.getState()["statename"] == "RUNNING")
        except OSError:
            return False

    def _stays_up(self, name: str) -> bool:
        # RUNNING is said after `startsecs` without an end: one that dies at once is tried again meanwhile.
        return bool(self._orders().supervisor.getProcessInfo(name)["state"] == ProcessStates.RUNNING)

    def _page_answers(self) -> bool:
        try:
            with ask(f"{self.layout.url}/healthz", timeout=2) as answer:
                return bool(answer.status == HTTPStatus.OK)
        except (URLError, OSError):
            return False

    def _wait(self, condition: Any, what: str, log: str) -> None:
        if not comes_true(lambda: not self.runs or condition(), limit=START_LIMIT_SECONDS, every=0.2) or not self.runs:
            raise DemoRefused(f"{what} did not start. Its log ends so:\n{self._tail(log)}")

    def _tail(self, log: str) -> str:
        file = self.layout.folder / "logs" / f"{log}.log"
        return file.read_text(errors="replace")[-_LOG_TAIL:] if file.exists() else "(no log)"


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
