"""Where the demo lives: its folder, its ports, and the environment of its processes.

Ports that were asked for (DEMO_PORT, DEMO_KAFKA_PORT) are used or refused; those nobody asked for are chosen once,
the next free one from the usual, and kept in the folder so that a later start finds the same addresses.
"""

from __future__ import annotations

import base64
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import quote

from devtools.kafka import ports
from devtools.servers.asking import past_proxies

ROOT = Path(__file__).resolve().parents[2]
USUAL_WEB_PORT = 8000
USUAL_KAFKA_PORT = 9092
_TRIES = 50


class DemoRefused(Exception):
    """The demo cannot start; the text says what was found and what to do."""


@dataclass(frozen=True)
class Ports:
    """Where the web process, Kafka and Valkey listen, on 127.0.0.1."""

    web: int
    kafka: int
    valkey: int


@dataclass(frozen=True)
class Layout:
    """One demo: its folder and its ports. Several may run side by side with other folders and ports."""

    folder: Path
    ports: Ports

    @property
    def url(self) -> str:
        """What a browser opens; `localhost`, since passkeys and secure cookies need a name."""
        return f"http://localhost:{self.ports.web}"

    @property
    def bootstrap_servers(self) -> str:
        """Kafka's address."""
        return f"{ports.HOST}:{self.ports.kafka}"

    @property
    def summary(self) -> Path:
        """The file that scripts read."""
        return self.folder / "demo.json"

    @property
    def socket(self) -> Path:
        """Where the process runner takes orders (a Unix socket's path has to be short)."""
        return self.folder / "runner.sock"

    def environment(self) -> dict[str, str]:
        """The settings of web, worker and beat, on top of this process's own environment."""
        return {
            **past_proxies(dict(os.environ)),
            **_secrets(self.folder),
            "DATABASE_URL": f"sqlite:///{self.folder / 'console.sqlite3'}",
            "CELERY_BROKER_URL": f"redis://{ports.HOST}:{self.ports.valkey}/0",
            "PUBLIC_URL": self.url,
            "MAIL_URL": f"filemail:///{quote(str(self.folder / 'mail'))}",  # kept as files: nothing leaves the machine
            "CSRF_TRUSTED_ORIGINS": f"{self.url},http://{ports.HOST}:{self.ports.web}",
            # Browsers keep cookies by host, not by port: two demos would sign each other out.
            "COOKIE_PREFIX": f"demo-{self.ports.web}-",
            "STATIC_ROOT": str(self.folder / "static"),
            "BEAT_SCHEDULE_FILE": str(self.folder / "beat-schedule"),
            "SWEEP_INTERVAL_S": os.environ.get("SWEEP_INTERVAL_S", "10"),
            "LOG_FORMAT": "plain",
            "DJANGO_SETTINGS_MODULE": "kafkaconsole.settings",
            "PYTHONUNBUFFERED": "1",
        }


def chosen(environment: Mapping[str, str]) -> Layout:
    """Read DEMO_DIR, DEMO_PORT and DEMO_KAFKA_PORT; raises DemoRefused for a port that is taken or is none."""
    folder = Path(environment.get("DEMO_DIR", str(ROOT / ".demo"))).resolve()
    kept = _kept(folder)
    web = _port(environment, "DEMO_PORT", kept.get("web"), USUAL_WEB_PORT)
    kafka = _port(environment, "DEMO_KAFKA_PORT", kept.get("kafka"), USUAL_KAFKA_PORT, besides={web})
    valkey = _port(environment, "DEMO_VALKEY_PORT", kept.get("valkey"), 6400, besides={web, kafka})
    layout = Layout(folder=folder, ports=Ports(web=web, kafka=kafka, valkey=valkey))
    write_private(folder / "ports.json", json.dumps(asdict(layout.ports)))
    return layout


def _kept(folder: Path) -> dict[str, int]:
    file = folder / "ports.json"
    return dict(json.loads(file.read_text())) if file.exists() else {}


def _port(
    environment: Mapping[str, str], name: str, kept: int | None, usual: int, besides: set[int] | None = None
) -> int:
    asked = environment.get(name)
    if asked is not None:
        if not asked.isdecimal() or not 1 <= int(asked) <= 65_535:
            raise DemoRefused(f"{name} must be a port from 1 to 65535, found {asked!r}.")
        if not ports.is_free(int(asked)):
            raise DemoRefused(
                f"Port {asked} is taken: stop the program that listens there, or set {name} to another port."
            )
        return int(asked)
    first = kept or usual
    for port in range(first, first + _TRIES):
        if port not in (besides or set()) and ports.is_free(port):
            if port != first:
                print(f"Port {first} is taken, so {port} is used instead ({name} chooses another).", flush=True)
            return port
    raise DemoRefused(f"No free port from {first} to {first + _TRIES - 1}: set {name} to one that is free.")


def _secrets(folder: Path) -> dict[str, str]:
    """Keys made once and kept in the folder, readable by its owner alone."""
    file = folder / "secrets.json"
    if not file.exists():
        made = {
            "SECRET_KEY": secrets.token_urlsafe(48),
            "AUDIT_KEY": secrets.token_urlsafe(48),
            "FIELD_KEYS": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        }
        write_private(file, json.dumps(made))
    return dict(json.loads(file.read_text()))


def write_private(file: Path, text: str) -> None:
    """Write a file that its owner alone can read, whole or not at all: what interrupts us leaves the earlier one."""
    fresh = file.with_name(file.name + ".new")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    fresh.write_text(text)
    fresh.replace(file)
