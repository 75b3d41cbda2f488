"""The virtual environment `.venv`, made from the hash-locked requirements files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from devtools.setup import stamps, tools
from devtools.setup.errors import SetupRefused

BASE = ("requirements.txt",)
DEMO = (*BASE, "requirements-demo.txt")
DEV = (*DEMO, "requirements-dev.txt")


def make(root: Path, files: Sequence[str], folder: Path | None = None) -> Path:
    """Make sure that the environment holds what these lock files say, and give its Python.

    Nothing runs where the stamps fit, so a later start needs no package index. `folder` is `root/.venv` unless given.
    Raises SetupRefused when Python's venv or pip fails.
    """
    folder = (folder or root / ".venv").absolute()
    python = folder / "bin" / "python"
    _make_empty(folder, python)
    due = [name for name in files if not stamps.fits(_stamp(folder, name), stamps.digest(root / name))]
    if due:
        _install(root, python, due)
        for name in due:
            stamps.put(_stamp(folder, name), stamps.digest(root / name))
    return python


def _make_empty(folder: Path, python: Path) -> None:
    """Make the environment unless it stands; one made by another Python or moved from elsewhere is made anew."""
    made_from = stamps.digest(str(folder), f"{sys.version_info[0]}.{sys.version_info[1]}")
    stamp = _stamp(folder, "python")
    if stamps.fits(stamp, made_from) and _answers(python):
        return
    tools.require([tools.VENV])
    print(f"Making {folder.name} with Python {sys.version.split()[0]} …", file=sys.stderr, flush=True)
    _run([sys.executable, "-m", "venv", "--clear", str(folder)], "Python's venv module")
    stamps.put(stamp, made_from)


def _answers(python: Path) -> bool:
    """Say whether the environment's Python starts: the one it was made from may be gone."""
    try:
        return not subprocess.run([str(python), "-c", ""], capture_output=True, check=False).returncode
    except OSError:
        return False


def _install(root: Path, python: Path, names: list[str]) -> None:
    """Install the lock files with every file's hash checked."""
    print(f"Installing {tools.listed(names)} …", file=sys.stderr, flush=True)
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--require-hashes"]
    wanted = [part for name in names for part in ("-r", str(root / name))]
    _run([str(python), "-m", "pip", "install", *options, *wanted], "pip")


def _run(command: list[str], program: str) -> None:
    if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False).returncode:
        raise SetupRefused(f"{program} failed: mend what it says above, then try again.")


def _stamp(folder: Path, name: str) -> Path:
    return folder / ".stamps" / name
