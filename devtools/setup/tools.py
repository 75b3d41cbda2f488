"""The programs that set-up and tests need from the machine: how each is found, and what happens when it is not there.

A root user of Debian gets them installed by apt-get; anyone else gets one sentence with the exact command.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from devtools.setup.errors import SetupRefused


@dataclass(frozen=True)
class Tool:
    """A program: the name a person knows it by, Debian's packages that bring it, and how to see that it is there."""

    name: str
    packages: tuple[str, ...]
    is_there: Callable[[], bool]


def require(tools: Iterable[Tool]) -> None:
    """Return once every tool is there; install the missing ones where we may.

    Raises SetupRefused with one sentence naming what is missing and the command that brings it.
    """
    missing = [tool for tool in tools if not tool.is_there()]
    if not missing:
        return
    if not (is_debian() and os.geteuid() == 0):
        raise SetupRefused(sentence(missing))
    install(missing)
    still = [tool.name for tool in missing if not tool.is_there()]
    if still:
        raise SetupRefused(
            f"apt-get installed its packages, yet {listed(still)} cannot be found: look at what it printed above."
        )


def sentence(missing: list[Tool]) -> str:
    """Say in one sentence what is missing and which command installs it."""
    command = "sudo apt-get install -y " + " ".join(packages_of(missing))
    where = f"run `{command}`" if is_debian() else f"install it (on Debian: `{command}`)"
    return f"Kafka Console needs {listed([tool.name for tool in missing])}, not found here: {where} and try again."


def install(missing: list[Tool]) -> None:
    """Install Debian's packages of the missing tools; raises SetupRefused when apt-get fails."""
    packages = packages_of(missing)
    print(f"Installing {listed([tool.name for tool in missing])} with apt-get …", file=sys.stderr, flush=True)
    # RUNLEVEL=1 keeps a freshly installed server (PostgreSQL) from being started: tests start their own.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    options = ["-q", "-o", "DPkg::Lock::Timeout=300"]
    commands = (
        ["apt-get", *options, "update"],
        ["apt-get", *options, "install", "-y", "--no-install-recommends", *packages],
    )
    for command in commands:
        if subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False
        ).returncode:
            raise SetupRefused(f"`{' '.join(command)}` failed: mend what it says above, then try again.")


def packages_of(tools: list[Tool]) -> list[str]:
    """Give the Debian packages of these tools, each once, in order."""
    return list(dict.fromkeys(package for tool in tools for package in tool.packages))


def listed(names: list[str]) -> str:
    """Join names as a person would: `a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def is_debian() -> bool:
    """Say whether this is Debian or built on it, with apt-get at hand."""
    return Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def _on_path(*names: str) -> Callable[[], bool]:
    return lambda: all(shutil.which(name) for name in names)


def _has_java() -> bool:
    """Ask Java for its version: macOS has a `java` that only says there is none."""
    java = shutil.which("java")
    if java is None:
        return False
    answer = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    version = re.search(r'version "(\d+)', answer.stderr)
    return version is not None and int(version[1]) >= 17


def _has_korean_font() -> bool:
    fc_list = shutil.which("fc-list")
    if fc_list is None:
        return False
    return bool(subprocess.run([fc_list, ":lang=ko", "file"], capture_output=True, check=False).stdout.strip())


def _has_compose() -> bool:
    if shutil.which("docker-compose"):
        return True
    docker = shutil.which("docker")
    return (
        docker is not None
        and not subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode
    )


def _has_postgresql() -> bool:
    return postgresql_folder() is not None


def postgresql_folder() -> Path | None:
    """Give the folder with `initdb` and `postgres` (Debian keeps them off the PATH), the newest version first."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(found, key=lambda folder: int(folder.parent.name), default=None)


def chromium() -> str | None:
    """Give the path of a Chromium (or Chrome) on this machine."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def _has_venv() -> bool:
    """Debian's python3 comes without ensurepip until python3-venv is there; asked in a child, since imports are cached."""
    return not subprocess.run(
        [sys.executable, "-c", "import ensurepip, venv"], capture_output=True, check=False
    ).returncode


VENV = Tool("Python's venv module", (f"python{sys.version_info[0]}.{sys.version_info[1]}-venv",), _has_venv)
NODE = Tool("Node.js with npm", ("nodejs", "npm"), _on_path("node", "npm"))
JAVA = Tool("Java 17 or newer", ("default-jdk-headless",), _has_java)
JAVAC = Tool("a Java compiler (javac)", ("default-jdk-headless",), _on_path("javac"))
MAVEN = Tool("Maven", ("maven",), _on_path("mvn"))
POSTGRESQL = Tool("PostgreSQL's server", ("postgresql",), _has_postgresql)
CHROMIUM = Tool("Chromium", ("chromium",), lambda: chromium() is not None)
KOREAN_FONT = Tool("a Korean font", ("fontconfig", "fonts-noto-cjk"), _has_korean_font)
COMPOSE = Tool("Docker Compose", ("docker-compose",), _has_compose)
GETTEXT = Tool("gettext", ("gettext",), _on_path("msgfmt", "msgmerge", "xgettext"))
OPENSSL = Tool("OpenSSL", ("openssl",), _on_path("openssl"))

FOR_TESTS = (JAVA, JAVAC, POSTGRESQL, CHROMIUM, KOREAN_FONT, COMPOSE, GETTEXT, OPENSSL)
