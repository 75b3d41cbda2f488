"""The demo's processes, in the words of supervisor's configuration file."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from devtools.demo.layout import ROOT, Layout
from devtools.kafka.ports import HOST
from devtools.servers import valkey

PYTHON = sys.executable
QUEUES = "plan,execute,sweep,notify"


@dataclass(frozen=True)
class Program:
    """One process that the runner keeps alive; `first` ones start before the database is filled."""

    name: str
    command: tuple[str, ...]
    first: bool = False
    stop_wait_seconds: int = 15


def programs(layout: Layout) -> list[Program]:
    """Everything that runs, in the order in which it is started."""
    celery = (PYTHON, "-m", "celery", "-A", "kafkaconsole")
    worker = (*celery, "worker", "--pool", "prefork", "--without-gossip", "--without-mingle", "-l", "INFO")
    return [
        Program(
            "kafka",
            (
                PYTHON,
                "-m",
                "devtools.kafka.run",
                "--folder",
                str(layout.folder / "kafka"),
                "--port",
                str(layout.ports.kafka),
            ),
            first=True,
            stop_wait_seconds=40,
        ),
        Program("valkey", _valkey(layout), first=True),
        Program("web", (PYTHON, "-m", "gunicorn", "kafkaconsole.wsgi", *_gunicorn(layout))),
        Program("worker", (*worker, "-n", "demo@%h", "-c", "4", "-Q", QUEUES)),
        Program("beat", (*celery, "beat", "--pidfile=")),
        Program("shop", (PYTHON, "-m", "devtools.demo.shop", layout.bootstrap_servers)),
    ]


def configuration(layout: Layout) -> str:
    """The text of supervisord.conf: a Unix socket for orders, no port, nothing written outside the demo's folder.

    `priority` lets a runner that is stopped by itself stop its processes in the reverse order of their start.
    """
    folder = layout.folder
    head = f"""
[supervisord]
nodaemon=true
logfile={folder / "logs" / "runner.log"}
logfile_maxbytes=5MB
pidfile={folder / "runner.pid"}
childlogdir={folder / "logs"}
silent=true

[unix_http_server]
file={layout.socket}
chmod=0700

[supervisorctl]
serverurl=unix://{layout.socket}

[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
"""
    return head + "".join(_section(folder, place, program) for place, program in enumerate(programs(layout), start=1))


def _section(folder: Path, place: int, program: Program) -> str:
    command = " ".join(_quoted(part) for part in _bound(program.command))
    return f"""
[program:{program.name}]
command={command}
directory={ROOT}
autostart={"true" if program.first else "false"}
autorestart=true
priority={place}
startretries=10
startsecs=2
stopwaitsecs={program.stop_wait_seconds}
stopasgroup={"false" if program.name in {"kafka", "worker"} else "true"}
killasgroup=true
redirect_stderr=true
stdout_logfile={folder / "logs" / (program.name + ".log")}
stdout_logfile_maxbytes=10MB
stdout_logfile_backups=1
"""


def _bound(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command, killed by the kernel when the runner is killed; Linux alone has that, and setpriv to ask for it."""
    setpriv = shutil.which("setpriv")
    return (setpriv, "--pdeathsig", "KILL", "--", *command) if setpriv else command


def _quoted(part: str) -> str:
    """One word of a command as supervisor reads it: %-signs are doubled, blanks and quotes are kept together."""
    escaped = part.replace("%", "%%")
    plain = escaped and all(one.isalnum() or one in "_-./:=,@%+" for one in escaped)
    return escaped if plain else '"' + escaped.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _valkey(layout: Layout) -> tuple[str, ...]:
    """Kept on disk, so that what was queued is there after a restart."""
    folder = layout.folder / "valkey"
    folder.mkdir(exist_ok=True)
    options = {"bind": HOST, "port": str(layout.ports.valkey), "dir": str(folder), "appendonly": "yes", "save": ""}
    return (str(valkey.program()), *(part for name, value in options.items() for part in (f"--{name}", value)))


def _gunicorn(layout: Layout) -> tuple[str, ...]:
    return (
        "--bind",
        f"{HOST}:{layout.ports.web}",
        "--workers",
        "2",
        "--threads",
        "4",
        "--timeout",
        "60",
        "--no-control-socket",
    )
