"""PEM certificates for a local cluster with TLS, made by openssl: an authority, a server, a client, and a stranger's authority."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from devtools.kafka.errors import LocalKafkaError, ToolchainMissing

_DAYS = "3650"
_LIMIT_SECONDS = 60


def make_certificates(folder: Path) -> Path:
    """Fill `folder` once: ca.crt; server.pem (localhost, 127.0.0.1); client.crt, .key, .pem (CN=console); stranger.crt.

    stranger.crt is an authority that signed nothing here: a client that trusts it alone must be refused.
    """
    if (folder / "client.pem").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    _authority(folder, "ca", "kafka-local CA")
    _authority(folder, "stranger", "somebody else's CA")
    _signed(folder, "server", common_name="localhost", alternatives="DNS:localhost,IP:127.0.0.1")
    _signed(folder, "client", common_name="console", alternatives="DNS:console")
    return folder


def _authority(folder: Path, name: str, common_name: str) -> None:
    wanted = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", _DAYS, "-subj", f"/CN={common_name}"]
    _openssl(folder, [*wanted, "-keyout", f"{name}.key", "-out", f"{name}.crt"])


def _signed(folder: Path, name: str, *, common_name: str, alternatives: str) -> None:
    """`name`.key, `name`.crt, and both with the authority in `name`.pem, as Kafka's PEM key stores want them."""
    request = ["req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={common_name}"]
    _openssl(folder, [*request, "-keyout", f"{name}.key", "-out", f"{name}.csr"])
    (folder / f"{name}.ext").write_text(f"subjectAltName={alternatives}\n")
    sign = ["x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial"]
    _openssl(folder, [*sign, "-days", _DAYS, "-out", f"{name}.crt", "-extfile", f"{name}.ext"])
    parts = (folder / part for part in (f"{name}.key", f"{name}.crt", "ca.crt"))
    (folder / f"{name}.pem").write_text("".join(part.read_text() for part in parts))


def _openssl(folder: Path, arguments: list[str]) -> None:
    program = shutil.which("openssl")
    if program is None:
        raise ToolchainMissing("A cluster with TLS needs openssl and none was found: run `apt-get install -y openssl`.")
    command = [program, *arguments]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=_LIMIT_SECONDS)
    if ran.returncode != 0:
        raise LocalKafkaError(f"openssl {arguments[0]} failed in {folder}: {ran.stderr.strip()}")
