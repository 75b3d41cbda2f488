"""Throw-away servers: real, fresh, and gone without traces."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
import redis

from devtools.kafka.waiting import comes_true
from devtools.servers.errors import ServerDidNotStart, ServerMissing
from devtools.servers.postgres import Postgres
from devtools.servers.server import Server
from devtools.servers.valkey import Valkey

ROOT = Path(__file__).resolve().parents[2]
GONE_LIMIT_SECONDS = 20

pytestmark = pytest.mark.server
each_kind = pytest.mark.parametrize("kind", [Postgres, Valkey])


def is_gone(pid: int) -> bool:
    """Whether the process ended; one that only waits to be collected has ended too."""
    try:
        state = (Path("/proc") / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


def pid_of(server: Server) -> int:
    """The process of a server that runs."""
    assert server.pid is not None
    return server.pid


def test_postgresql_takes_the_login_of_its_url() -> None:
    with Postgres() as server, psycopg.connect(server.url) as connection:
        version = connection.execute("SELECT current_setting('server_version_num')::int").fetchone()

    assert version is not None
    assert version[0] >= 150_000


def test_postgresql_refuses_another_password() -> None:
    with Postgres() as server, pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(server.url, password="guessed")


def test_valkey_starts_empty_and_takes_writes() -> None:
    with Valkey() as server, redis.Redis.from_url(server.url) as client:
        assert client.dbsize() == 0
        assert client.set("key", "value")


@each_kind
def test_stopped_server_leaves_neither_process_nor_folder(kind: Callable[[], Server]) -> None:
    with kind() as server:
        pid, folder = pid_of(server), server.folder
        assert folder.is_dir()
        assert not is_gone(pid)

    assert is_gone(pid)
    assert not folder.exists()


@each_kind
def test_server_stops_when_the_block_fails(kind: Callable[[], Server]) -> None:
    seen: list[int] = []
    with pytest.raises(ZeroDivisionError), kind() as server:
        seen.append(pid_of(server))
        raise ZeroDivisionError

    assert is_gone(seen[0])


@each_kind
def test_two_servers_run_side_by_side(kind: Callable[[], Server]) -> None:
    with kind() as one, kind() as other:
        assert one.port != other.port
        assert one.answers()
        assert other.answers()


@each_kind
def test_server_dies_with_a_killed_parent(kind: type[Server]) -> None:
    script = (
        f"from {kind.__module__} import {kind.__name__} as Kind\n"
        "import sys\n"
        "with Kind() as server:\n"
        "    print(server.pid, server.folder, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline().split()[0])
    assert not is_gone(pid)

    parent.kill()
    parent.communicate()

    assert comes_true(lambda: is_gone(pid), limit=GONE_LIMIT_SECONDS)


def test_server_that_cannot_start_says_what_it_printed() -> None:
    class Misconfigured(Valkey):
        def command(self) -> list[str]:
            return [*super().command(), "--no-such-setting", "1"]

    server = Misconfigured()
    with pytest.raises(ServerDidNotStart, match="no-such-setting"):
        server.start()

    assert server.pid is None


def test_missing_postgresql_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devtools.servers.postgres.postgresql_folder", lambda: None)

    with pytest.raises(ServerMissing, match="apt-get install -y postgresql"):
        Postgres().start()


def test_command_runs_with_both_servers_in_its_environment() -> None:
    shown = "import os; print(os.environ['DATABASE_URL'], os.environ['CELERY_BROKER_URL']); raise SystemExit(7)"

    ran = subprocess.run(
        [sys.executable, "-m", "devtools.servers", sys.executable, "-c", shown],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 7
    database, broker = ran.stdout.split()
    assert database.startswith("postgres://console:")
    assert broker.startswith("redis://127.0.0.1:")
