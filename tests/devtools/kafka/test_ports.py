"""Ports are free when given out, and a taken one is a clear refusal."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from devtools.kafka import ports
from devtools.kafka.errors import PortTaken


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server((ports.HOST, 0)) as server:
        yield server.getsockname()[1]


def test_free_ports_are_different_and_can_be_listened_on() -> None:
    found = ports.free_ports(20)
    assert len(set(found)) == 20
    for port in found:
        socket.create_server((ports.HOST, port)).close()


def test_a_port_somebody_listens_on_is_not_free(taken: int) -> None:
    assert not ports.is_free(taken)
    with pytest.raises(PortTaken, match=f"Port {taken} on 127.0.0.1 is taken"):
        ports.require_free(taken)


def test_ports_to_leave_out_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = sorted(ports.free_ports(2))
    monkeypatch.setattr(ports, "_RANGE", range(first, second + 1, second - first))
    assert ports.free_ports(1, besides=[first]) == [second]


def test_too_few_free_ports_are_said(monkeypatch: pytest.MonkeyPatch, taken: int) -> None:
    monkeypatch.setattr(ports, "_RANGE", range(taken, taken + 1))
    with pytest.raises(PortTaken, match="Found only 0 of 1 free ports"):
        ports.free_ports(1)
