"""Real Celery workers and a real Valkey for tests that need processes: `valkey`, `broker`, `start_worker`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import redis
from django.conf import settings
from django.db import connection
from kombu import pools

from devtools.kafka.processes import start_bound
from devtools.kafka.waiting import comes_true
from devtools.servers.valkey import Valkey
from kafkaconsole.celery import app

QUEUES = "plan,execute,sweep,notify"
START_LIMIT_SECONDS = 60.0
QUICK = {
    "ATTEMPT_LEASE_S": "5",
    "WORK_LEASE_S": "4",
    "RESET_TICK_S": "1",
    "NUDGE_AFTER_S": "1",
    "SETTLE_PAUSE_S": "2",
    "LOG_FORMAT": "plain",
}
"""What a test need not wait for; the pause before settling stays as Kafka needs it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever asks for a broker or a worker is marked `celery_worker`."""
    for item in items:
        if {"valkey", "broker", "start_worker"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.celery_worker)


class Worker:
    """One `celery worker` with its children, on all queues; beat runs inside when asked for."""

    def __init__(self, folder: Path, environment: dict[str, str], *, beat: bool) -> None:
        self._log = folder / f"worker-{os.urandom(4).hex()}.log"
        schedule = ["--beat", "--schedule", str(folder / "beat")] if beat else []
        command = [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "kafkaconsole",
            "worker",
            "-l",
            "INFO",
            "-Q",
            QUEUES,
            "-c",
            "2",
            *schedule,
        ]
        with self._log.open("wb") as log:
            self._child = start_bound(
                command, output=log, errors=subprocess.STDOUT, folder=settings.BASE_DIR, environment=environment
            )
        if not comes_true(self._is_ready, limit=START_LIMIT_SECONDS):
            self.kill()
            raise AssertionError(f"The worker did not start:\n{self.log()}")

    def kill(self) -> None:
        """SIGKILL to the worker and all its children: nothing is handed back."""
        if self._child.poll() is None:
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()

    def pause(self) -> None:
        """SIGSTOP to the worker and all its children: nothing of it runs until `resume`."""
        os.killpg(self._child.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """SIGCONT: it goes on where it was."""
        os.killpg(self._child.pid, signal.SIGCONT)

    def stop(self) -> None:
        """SIGTERM: what runs is finished first."""
        if self._child.poll() is None:
            self._child.terminate()
        try:
            self._child.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()

    def log(self) -> str:
        """What it said so far."""
        return self._log.read_text(errors="replace")

    def _is_ready(self) -> bool:
        return " ready." in self.log()


@pytest.fixture(scope="session")
def valkey() -> Iterator[Valkey]:
    """One Valkey for the session."""
    with Valkey() as server:
        yield server


@pytest.fixture
def broker(valkey: Valkey, transactional_db: None) -> Iterator[str]:
    """An empty broker, to which this process sends as well; its address."""
    with redis.Redis.from_url(valkey.url) as link:
        link.flushdb()
    before = app.conf.broker_url
    _use(valkey.url)
    yield valkey.url
    _use(before)


def _use(url: str) -> None:
    """Let the app of this process send there; its pools of connections belong to the address before."""
    app.conf.update(broker_url=url, broker_write_url=url, broker_read_url=url)
    pools.reset()
    setattr(app, "_pool", None)  # noqa: B010  Celery's own way (Celery._after_fork), which its types do not tell
    setattr(app.amqp, "_producer_pool", None)  # noqa: B010


@pytest.fixture
def start_worker(broker: str, tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Starts workers on the test's own database; they are gone at the end of the test."""
    workers: list[Worker] = []

    def start(*, beat: bool = True, **environment: str) -> Worker:
        own = {**os.environ, **QUICK, "DATABASE_URL": database_url(), "CELERY_BROKER_URL": broker, **environment}
        workers.append(Worker(tmp_path, own, beat=beat))
        return workers[-1]

    yield start
    for worker in workers:
        worker.kill()


def database_url() -> str:
    """The address of the database that this test uses, for another process."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{connection.settings_dict['NAME']}"
    told = connection.settings_dict
    user = f"{quote(str(told['USER']))}:{quote(str(told['PASSWORD']))}"
    return f"postgres://{user}@{told['HOST']}:{told['PORT']}/{told['NAME']}"
