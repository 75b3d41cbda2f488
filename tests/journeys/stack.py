"""A whole console as real processes on free ports: web, worker and beat, with the demo's people and their tokens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import LiteralString
from urllib.error import URLError

from devtools.demo.cast import CLUSTER, TEAM_PREFIX
from devtools.demo.layout import ROOT, Layout, Ports
from devtools.demo.programs import programs
from devtools.kafka import ports
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.processes import Child, start_bound
from devtools.kafka.waiting import comes_true
from devtools.servers.asking import ask
from devtools.servers.valkey import Valkey
from tests.journeys.databases import Database

START_LIMIT_SECONDS = 90.0
STOP_LIMIT_SECONDS = 20.0
SWEEP_LIMIT_SECONDS = 60.0
LOG_TAIL = 4000
PROCESSES = ("web", "worker", "beat")
# Everything that waits for a clock waits less than in production; nothing else differs.
SHORT = {
    "SWEEP_INTERVAL_S": "5",
    "RESET_TICK_S": "1",
    "NUDGE_AFTER_S": "2",
    "ATTEMPT_LEASE_S": "5",
    "WORK_LEASE_S": "5",
    "SETTLE_PAUSE_S": "1",
    "API_CALLS_PER_MINUTE": "0",
    "DEBUG": "false",
}


class ConsoleBroken(Exception):
    """A process of the console did not start; the text ends with its log."""


@dataclass(frozen=True)
class Person:
    """One of the cast: how they sign in, in a browser and as a script."""

    name: str
    password: str
    token: str


class Console:
    """Web, worker and beat against one Kafka. They die with this process; their logs stay in the folder till the end."""

    def __init__(self, folder: Path, kafka: LocalKafka, valkey: Valkey, database: Database) -> None:
        (web,) = ports.free_ports(1)
        kafka_port = int(kafka.bootstrap_servers.rpartition(":")[2])
        self.kafka = kafka
        self.database = database
        self.layout = Layout(folder, Ports(web=web, kafka=kafka_port, valkey=valkey.port))
        self.environment = {**self.layout.environment(), **SHORT, "DATABASE_URL": database.url}
        self.people: dict[str, Person] = {}
        self._commands = {one.name: one.command for one in programs(self.layout)}
        self._children: dict[str, Child] = {}

    @property
    def url(self) -> str:
        """What a browser opens."""
        return self.layout.url

    @property
    def cluster(self) -> str:
        """The Kafka's name in this console."""
        return CLUSTER

    @property
    def team_prefix(self) -> str:
        """Groups whose names begin so belong to the team Billing."""
        return TEAM_PREFIX

    def start(self) -> None:
        """Fill the database, start all processes, return when the page answers. Messages wait for the worker."""
        self._fill()
        for name in PROCESSES:
            self.start_process(name)
        comes_true(lambda: self._page_answers() or self.pid_of("web") is None, limit=START_LIMIT_SECONDS, every=0.2)
        if not self._page_answers():
            raise ConsoleBroken(f"The web process does not answer at {self.url}:\n{self.log('web')[-LOG_TAIL:]}")

    def start_process(self, name: str) -> None:
        """Start web, worker or beat; its log goes on where an earlier one ended."""
        with self._log(name).open("ab") as log:
            self._children[name] = start_bound(
                self._commands[name], output=log, errors=subprocess.STDOUT, folder=ROOT, environment=self.environment
            )

    def kill_worker(self) -> None:
        """SIGKILL to the worker and its children, as when a machine goes: nothing of it runs on."""
        self._signal("worker", signal.SIGKILL)
        self._children.pop("worker").wait(STOP_LIMIT_SECONDS)

    def keep_worker(self) -> None:
        """A worker runs afterwards, whether one did before or not."""
        if self.pid_of("worker") is None:
            self.start_process("worker")

    def pid_of(self, name: str) -> int | None:
        """The process while it runs."""
        child = self._children.get(name)
        return child.pid if child is not None and child.poll() is None else None

    def wait_for_sweep(self, group: str) -> None:
        """Return once a sweep has seen the group."""
        known: LiteralString = "SELECT 1 FROM groups_consumergroup WHERE name = ?"
        if not comes_true(lambda: bool(self.database.rows(known, group)), limit=SWEEP_LIMIT_SECONDS, every=0.1):
            raise ConsoleBroken(f"No sweep has seen {group} in {SWEEP_LIMIT_SECONDS:.0f} s.")

    def stop(self) -> None:
        """End everything; what does not listen is killed."""
        for name in reversed(PROCESSES):
            self._signal(name, signal.SIGTERM)
        for name, child in self._children.items():
            with suppress(subprocess.TimeoutExpired):
                child.wait(STOP_LIMIT_SECONDS)
            self._signal(name, signal.SIGKILL)
            child.wait()
        self._children.clear()

    def logs(self) -> Iterator[tuple[str, str]]:
        """Each process's name and the end of its log."""
        for name in PROCESSES:
            lines = [line for line in self.log(name).splitlines() if not line_of_clock(line)]
            yield name, "\n".join(lines)[-LOG_TAIL:]

    def log(self, name: str) -> str:
        """All that one of the processes wrote."""
        file = self._log(name)
        return file.read_text(errors="replace") if file.exists() else ""

    def _log(self, name: str) -> Path:
        return self.layout.folder / f"{name}.log"

    def _fill(self) -> None:
        numbers = [str(port) for port in (self.layout.ports.web, self.layout.ports.kafka, self.layout.ports.valkey)]
        command = [sys.executable, "-m", "tests.journeys.filling", str(self.layout.folder), *numbers]
        ran = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False, timeout=180
        )
        if ran.returncode:
            raise ConsoleBroken(f"The database could not be filled:\n{(ran.stdout + ran.stderr)[-LOG_TAIL:]}")
        facts = json.loads(self.layout.summary.read_text())
        self.people = {one["name"]: Person(one["name"], one["password"], one["token"]) for one in facts["users"]}

    def _page_answers(self) -> bool:
        try:
            with ask(f"{self.url}/healthz", timeout=2) as answer:
                return bool(answer.status == HTTPStatus.OK)
        except (URLError, OSError):
            return False

    def _signal(self, name: str, number: signal.Signals) -> None:
        """To the whole group of processes: each child leads a session of its own."""
        child = self._children.get(name)
        if child is not None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, number)


def line_of_clock(line: str) -> bool:
    """Whether a log's line tells of beat's ticks alone, which say nothing about a failed story."""
    return ".tick" in line or "task_succeeded" in line


@contextmanager
def running_console(folder: Path, kafka: LocalKafka, database: Database) -> Iterator[Console]:
    """A console in a `with`."""
    with Valkey() as valkey:
        console = Console(folder, kafka, valkey, database)
        try:
            console.start()
            yield console
        finally:
            console.stop()
