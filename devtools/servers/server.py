"""What PostgreSQL and Valkey have in common: a scratch folder, a port, a process that cannot outlive us, an end without traces."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from devtools.kafka import ports
from devtools.kafka.processes import Child, start_bound
from devtools.kafka.waiting import comes_true
from devtools.servers.errors import ServerDidNotStart

START_LIMIT_SECONDS = 30.0
STOP_LIMIT_SECONDS = 15.0
_TAIL = 2000


class Server(ABC):
    """A server used in a `with`: started on a free port in a scratch folder, stopped and wiped away at the end.

    It also ends when this process is killed (the folder then stays). Starting raises ServerError.
    """

    name: str
    stop_signal: signal.Signals = signal.SIGTERM

    def __init__(self) -> None:
        self.port = 0
        self._folder: Path | None = None
        self._child: Child | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    @abstractmethod
    def url(self) -> str:
        """The address in the form that the product's settings read."""

    @property
    def folder(self) -> Path:
        """The scratch folder with data and log."""
        if self._folder is None:
            raise ServerDidNotStart(f"{self.name} was not started: use it in a `with`.")
        return self._folder

    @property
    def pid(self) -> int | None:
        """The server's process, None before the start and after the end."""
        return None if self._child is None else self._child.pid

    @abstractmethod
    def prepare(self) -> None:
        """Fill the folder before the first start."""

    @abstractmethod
    def command(self) -> Sequence[str]:
        """The command line that runs the server in the foreground."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether the server takes requests now."""

    def start(self) -> None:
        """Return when the server answers."""
        self._folder = Path(tempfile.mkdtemp(prefix=f"kafka-console-{self.name.lower()}-"))
        try:
            self.prepare()
            (self.port,) = ports.free_ports(1)
            with (self.folder / "server.log").open("wb") as log:
                self._child = start_bound(self.command(), output=log, errors=subprocess.STDOUT)
            if not comes_true(self._is_decided, limit=START_LIMIT_SECONDS) or self._child.poll() is not None:
                raise ServerDidNotStart(f"{self.name} did not start on port {self.port}. It said:\n{self._tail()}")
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the process, by force when it does not listen, and remove the folder. Twice does no harm."""
        child, self._child = self._child, None
        if child is not None:
            if child.poll() is None:
                child.send_signal(self.stop_signal)
            try:
                child.wait(STOP_LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _is_decided(self) -> bool:
        return self._child is None or self._child.poll() is not None or self.answers()

    def _tail(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")[-_TAIL:].strip()
