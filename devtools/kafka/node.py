"""One Kafka node: a Java process, its folder and its log."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from devtools.kafka import configs
from devtools.kafka.errors import KafkaDidNotStart
from devtools.kafka.java import Runtime
from devtools.kafka.logins import EVERYBODY
from devtools.kafka.processes import Child, start_bound
from devtools.kafka.waiting import comes_true

# 1.0 s on a quiet machine, three nodes 5 s, after kill -9 8 s; loaded machines need three times that and more.
START_LIMIT_SECONDS = 120.0
STOP_LIMIT_SECONDS = 20.0
_FORMAT_LIMIT_SECONDS = 120.0
_STARTED = "Kafka Server started (kafka.server.KafkaRaftServer)"
_LOG4J = Path(__file__).with_name("log4j2.properties")
_TAIL_LINES = 40


class Node:
    """Node `number` (from 1) of a cluster, kept in `folder`: node-N.properties, node-N.log, node-N/ (the data)."""

    def __init__(
        self, runtime: Runtime, shape: configs.Shape, *, number: int, folder: Path, extra_flags: Sequence[str] = ()
    ) -> None:
        self.number = number
        self.log = folder / f"node-{number}.log"
        self._data = folder / f"node-{number}"
        self._properties = folder / f"node-{number}.properties"
        self._runtime = runtime
        self._shape = shape
        self._flags = (f"-Dlog4j2.configurationFile={_LOG4J}", "-Xms64m", f"-Xmx{heap()}", *extra_flags)
        self._child: Child | None = None
        self._log_start = 0
        self._properties.write_text(configs.node_properties(shape, number=number, data=self._data))

    @property
    def pid(self) -> int | None:
        """The Java process while it runs (a paused one runs too)."""
        return self._child.pid if self._child is not None and self._child.poll() is None else None

    @property
    def is_running(self) -> bool:
        """Whether there is a process, paused or not."""
        return self.pid is not None

    @property
    def is_formatted(self) -> bool:
        """Whether the folder holds data from an earlier start."""
        return (self._data / "meta.properties").exists()

    def format(self, cluster_id: str) -> None:
        """Make the folder ready for a first start, with the users of a secure cluster in it."""
        command = ["format", "--cluster-id", cluster_id, "--config", str(self._properties)]
        if self._shape.security != "plain":
            for login in EVERYBODY:
                command += ["--add-scram", f"SCRAM-SHA-512=[name={login.user},password={login.password}]"]
        flags = (f"-Dlog4j2.configurationFile={_LOG4J}",)
        java = self._runtime.command("kafka.tools.StorageTool", *command, flags=flags)
        ran = subprocess.run(java, capture_output=True, text=True, check=False, timeout=_FORMAT_LIMIT_SECONDS)
        if ran.returncode != 0:
            raise KafkaDidNotStart(f"Formatting {self._data} failed. Kafka said:\n{ran.stdout}{ran.stderr}")

    def start(self) -> None:
        """Start the process without waiting; nothing if it runs."""
        if self.is_running:
            return
        self._log_start = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as output:
            command = self._runtime.command("kafka.Kafka", str(self._properties), flags=self._flags)
            self._child = start_bound(command, output=output, errors=subprocess.STDOUT)

    def wait_until_started(self, limit: float = START_LIMIT_SECONDS) -> None:
        """Return when the broker says it has started; KafkaDidNotStart with the log's tail otherwise."""
        comes_true(lambda: not self.is_running or self._says_started(), limit=limit)
        if not self._says_started():
            found = f"was not ready after {limit:.0f} s" if self.is_running else "ended while starting"
            raise KafkaDidNotStart(f"Kafka node {self.number} {found}. The end of {self.log}:\n{self.log_tail()}")

    def stop(self, limit: float = STOP_LIMIT_SECONDS) -> None:
        """Stop cleanly; kill what has not stopped within `limit` seconds. A paused node is woken first."""
        self.ask_to_stop()
        self.wait_until_stopped(limit)

    def ask_to_stop(self) -> None:
        """Send SIGTERM without waiting."""
        self.resume()
        self._signal(signal.SIGTERM)

    def wait_until_stopped(self, limit: float) -> None:
        """Wait for the end of a node that was asked to stop, and kill it after `limit` seconds."""
        if self._child is None:
            return
        try:
            self._child.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """SIGKILL, and wait until the process is gone."""
        self._signal(signal.SIGKILL)
        if self._child is not None:
            self._child.wait(timeout=STOP_LIMIT_SECONDS)

    def pause(self) -> None:
        """SIGSTOP: connections stay open and nothing answers."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """SIGCONT; nothing to a node that was not paused."""
        self._signal(signal.SIGCONT)

    def log_tail(self, lines: int = _TAIL_LINES) -> str:
        """The last lines since the last start."""
        return "\n".join(self._log_since_start().splitlines()[-lines:])

    def _signal(self, number: signal.Signals) -> None:
        pid = self.pid
        if pid is not None:
            os.kill(pid, number)

    def _says_started(self) -> bool:
        return _STARTED in self._log_since_start()

    def _log_since_start(self) -> str:
        if not self.log.exists():
            return ""
        with self.log.open("rb") as log:
            log.seek(self._log_start)
            return log.read().decode(errors="replace")


def heap() -> str:
    """Java's word for the largest heap: KAFKA_HEAP, else 256m (enough for 10,000 groups and 2,000 partitions)."""
    return os.environ.get("KAFKA_HEAP", "256m")
