"""Certificates are signed by our authority, made once, and the stranger's authority signed none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from devtools.kafka.certificates import make_certificates
from devtools.kafka.errors import ToolchainMissing


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


def verifies(folder: Path, authority: str, certificate: str, *more: str) -> bool:
    command = ["openssl", "verify", "-CAfile", authority, *more, certificate]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=30).returncode == 0


def test_our_authority_signed_server_and_client(folder: Path) -> None:
    assert verifies(folder, "ca.crt", "server.crt")
    assert verifies(folder, "ca.crt", "client.crt")


def test_the_stranger_signed_neither(folder: Path) -> None:
    assert not verifies(folder, "stranger.crt", "server.crt")
    assert not verifies(folder, "stranger.crt", "client.crt")


def test_the_server_is_known_by_name_and_by_address(folder: Path) -> None:
    assert verifies(folder, "ca.crt", "server.crt", "-verify_hostname", "localhost")
    assert verifies(folder, "ca.crt", "server.crt", "-verify_ip", "127.0.0.1")
    assert not verifies(folder, "ca.crt", "server.crt", "-verify_hostname", "elsewhere")


def test_a_second_call_keeps_what_is_there(folder: Path) -> None:
    before = (folder / "server.pem").read_bytes()
    make_certificates(folder)
    assert (folder / "server.pem").read_bytes() == before


def test_missing_openssl_is_said_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolchainMissing, match="apt-get install -y openssl"):
        make_certificates(tmp_path / "certs")
