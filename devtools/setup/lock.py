"""Writes the lock files: requirements*.txt from requirements*.in, by uv, with hashes and without any index address."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from devtools.setup import environment
from devtools.setup.errors import SetupRefused

# In this order: the later ones are constrained by the earlier ones.
NAMES = ("requirements", "requirements-demo", "requirements-dev", "requirements-lock")
TOOL_LOCK = "requirements-lock.txt"

_PRIVATE = re.compile(r"://|--find-links|--(extra-)?index-url|--trusted-host")


def make(root: Path, arguments: Sequence[str] = ()) -> None:
    """Lock all files anew, keeping versions that still fit; `arguments` go to uv (`--upgrade`, `--upgrade-package=NAME`).

    Raises SetupRefused when nothing fits together, or when a lock would name an index or a folder.
    """
    python = environment.make(root, [TOOL_LOCK], root / ".cache" / "lock-tool")
    for name in NAMES:
        _compile(root, python.with_name("uv"), name, arguments)


def _compile(root: Path, uv: Path, name: str, arguments: Sequence[str]) -> None:
    # --no-config: the machine's own settings must not shape a file that every machine reads.
    options = ["--quiet", "--no-config", "--no-header", "--generate-hashes", "--universal", "--python-version", "3.11"]
    command = [str(uv), "pip", "compile", *options, *arguments, "--output-file", f"{name}.txt", f"{name}.in"]
    if subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False).returncode:
        raise SetupRefused(f"uv could not lock {name}.in: mend what it says above, then try again.")
    private = private_lines((root / f"{name}.txt").read_text(encoding="utf-8"))
    if private:
        raise SetupRefused(
            f"{name}.txt names a place that only this machine knows, {private[0]!r}: take it out of {name}.in."
        )


def private_lines(lock: str) -> list[str]:
    """Give the lines of a lock file that name an index, a host or a folder; a good lock has none."""
    return [line for line in lock.splitlines() if _PRIVATE.search(line)]
