"""The foreground broker: stops when told, ends when its Kafka ends, and keeps its data."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from devtools.kafka import ports
from devtools.kafka.waiting import comes_true
from tests.devtools.kafka.conftest import Started, ended_by_itself, is_gone

pytestmark = pytest.mark.kafka


def first_line(started: Started) -> str:
    assert started.stdout is not None
    return started.stdout.readline()


def broker_below(started: Started) -> int:
    """The Java process that the foreground process started."""
    children = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal())
    (found,) = [pid for pid in children if parent_of(pid) == started.pid]
    return found


def parent_of(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_broker_cleanly(
    start_python: Callable[..., Started], tmp_path: Path, number: signal.Signals
) -> None:
    (port,) = ports.free_ports(1)
    runner = start_python("-m", "devtools.kafka.run", "--folder", str(tmp_path), "--port", str(port))
    assert f"127.0.0.1:{port}" in first_line(runner)
    broker = broker_below(runner)
    runner.send_signal(number)
    assert runner.wait(timeout=60) == 0
    assert is_gone(broker)
    assert ports.is_free(port)
    assert (tmp_path / "node-1" / ".kafka_cleanshutdown").exists()


def test_it_ends_with_an_error_when_its_broker_ends(start_python: Callable[..., Started], tmp_path: Path) -> None:
    (port,) = ports.free_ports(1)
    runner = start_python("-m", "devtools.kafka.run", "--folder", str(tmp_path), "--port", str(port))
    first_line(runner)
    os.kill(broker_below(runner), signal.SIGKILL)
    _, said = runner.communicate(timeout=60)
    assert runner.returncode == 1
    assert re.search("Kafka node 1 ended", said)


def test_a_signal_while_starting_leaves_nothing(start_python: Callable[..., Started], tmp_path: Path) -> None:
    (port,) = ports.free_ports(1)
    runner = start_python("-m", "devtools.kafka.run", "--folder", str(tmp_path), "--port", str(port))
    assert comes_true(lambda: (tmp_path / "node-1.log").exists(), limit=60)
    broker = broker_below(runner)
    runner.send_signal(signal.SIGTERM)
    assert runner.wait(timeout=60) == 0
    assert ended_by_itself(broker)


def test_a_taken_port_is_one_sentence(start_python: Callable[..., Started], tmp_path: Path) -> None:
    with socket.create_server((ports.HOST, 0)) as server:
        taken = server.getsockname()[1]
        runner = start_python("-m", "devtools.kafka.run", "--folder", str(tmp_path), "--port", str(taken))
        _, said = runner.communicate(timeout=60)
    assert runner.returncode == 1
    assert said.startswith(f"Port {taken} on 127.0.0.1 is taken")
    assert "Traceback" not in said
