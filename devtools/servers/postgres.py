"""A real PostgreSQL, made by `initdb` in a scratch folder and tuned for tests: fast, and nothing is kept."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import psycopg

from devtools.kafka.ports import HOST
from devtools.servers.errors import ServerDidNotStart, ServerMissing
from devtools.servers.server import Server
from devtools.setup.tools import POSTGRESQL, postgresql_folder, sentence

_ROLE = "console"
_DATABASE = "postgres"

# Safe against a crash of the machine it need not be: the data is thrown away. Tests run many processes, each with a pool.
_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "unix_socket_directories": "",
    "listen_addresses": HOST,
}


class Postgres(Server):
    """An empty PostgreSQL; `url` is for DATABASE_URL.

    The server refuses to run as root: root runs it as the user `postgres`, or `nobody` where there is none.
    """

    name = "PostgreSQL"
    stop_signal = signal.SIGINT  # "fast shutdown": it does not wait for clients that stay connected

    def __init__(self) -> None:
        super().__init__()
        self._password = secrets.token_hex(16)

    @property
    def url(self) -> str:
        """`postgres://role:password@host:port/database`."""
        return f"postgres://{_ROLE}:{self._password}@{HOST}:{self.port}/{_DATABASE}"

    def prepare(self) -> None:
        """Make the data folder, owned by the user who will run the server."""
        password_file = self.folder / "password"
        password_file.write_text(self._password)
        owner = _owner()
        if owner is not None:
            for path in (self.folder, password_file):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        options = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"]
        command = ["initdb", f"--username={_ROLE}", f"--pwfile={password_file}", *options, f"--pgdata={self._data}"]
        command[0] = str(_programs() / "initdb")
        ran = subprocess.run([*_as_owner(owner), *command], cwd="/", capture_output=True, text=True, check=False)
        if ran.returncode:
            raise ServerDidNotStart(f"initdb failed in {self.folder}. It said:\n{(ran.stdout + ran.stderr).strip()}")

    def command(self) -> Sequence[str]:
        """The postmaster, which shuts down by itself when this process dies."""
        settings = [f"--{name}={value}" for name, value in {**_SETTINGS, "port": str(self.port)}.items()]
        return [
            *_as_owner(_owner(), "--pdeathsig", "INT"),
            str(_programs() / "postgres"),
            "-D",
            str(self._data),
            *settings,
        ]

    def answers(self) -> bool:
        """Whether a login works."""
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    @property
    def _data(self) -> Path:
        return self.folder / "data"


def _programs() -> Path:
    folder = postgresql_folder()
    if folder is None:
        raise ServerMissing(sentence([POSTGRESQL]))
    return folder


def _owner() -> pwd.struct_passwd | None:
    """The user who runs the server when we are root; None when we run it ourselves."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise ServerMissing(
        "PostgreSQL does not run as root, and there is neither a user `postgres` nor `nobody`: add one."
    )


def _as_owner(owner: pwd.struct_passwd | None, *options: str) -> list[str]:
    """The start of a command line that becomes the owner; setpriv's other options may be given with it.

    The death signal has to be asked for after the change of user, which clears it.
    """
    setpriv = shutil.which("setpriv")
    if owner is None:
        return [setpriv, *options] if setpriv and options else []
    if setpriv is None:
        raise ServerMissing("To run PostgreSQL as root, setpriv is needed: run `apt-get install -y util-linux`.")
    return [setpriv, f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--init-groups", *options]
