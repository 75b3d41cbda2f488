"""The virtual environment is made from lock files, once."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from devtools.setup import environment, tools
from devtools.setup.errors import SetupRefused

pytestmark = pytest.mark.server

NAME = "some_package"
METADATA = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A work tree whose lock asks for nothing, so that no package index is needed."""
    (tmp_path / "empty.txt").write_text("# nothing\n")
    return tmp_path


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package in a folder that pip looks into instead of an index; gives its hash."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    wheel = folder / f"{NAME}-1.0-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        archive.writestr(f"{NAME}.py", "answer = 42\n")
        for name, content in (("METADATA", METADATA), ("WHEEL", WHEEL), ("RECORD", "")):
            archive.writestr(f"{NAME}-1.0.dist-info/{name}", content)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


@pytest.fixture
def without_pip(tree: Path) -> Callable[[Path], None]:
    """Takes pip out of an environment: from then on only a set-up that runs no pip can succeed."""

    def remove(python: Path) -> None:
        for package in tree.glob(".venv/lib/python*/site-packages/pip"):
            shutil.rmtree(package)
        assert subprocess.run([str(python), "-m", "pip"], capture_output=True, check=False).returncode

    return remove


def test_environment_gets_a_python_that_runs(tree: Path) -> None:
    python = environment.make(tree, ["empty.txt"])

    prefix = subprocess.run([str(python), "-c", "import sys; print(sys.prefix)"], capture_output=True, text=True).stdout
    assert Path(prefix.strip()) == tree / ".venv"


def test_later_start_runs_no_pip(tree: Path, without_pip: Callable[[Path], None]) -> None:
    without_pip(environment.make(tree, ["empty.txt"]))

    environment.make(tree, ["empty.txt"])


def test_changed_lock_is_installed_again(tree: Path, without_pip: Callable[[Path], None]) -> None:
    without_pip(environment.make(tree, ["empty.txt"]))
    (tree / "empty.txt").write_text("# nothing, said otherwise\n")

    with pytest.raises(SetupRefused, match="pip failed"):
        environment.make(tree, ["empty.txt"])


def test_package_of_the_lock_can_be_imported(tree: Path, package: str) -> None:
    (tree / "lock.txt").write_text(f"{NAME}==1.0 --hash=sha256:{package}\n")

    python = environment.make(tree, ["lock.txt"])

    assert subprocess.run([str(python), "-c", f"import {NAME}"], check=False).returncode == 0


def test_package_with_another_hash_is_refused(tree: Path, package: str, capfd: pytest.CaptureFixture[str]) -> None:
    (tree / "lock.txt").write_text(f"{NAME}==1.0 --hash=sha256:{'0' * 64}\n")

    with pytest.raises(SetupRefused, match="pip failed"):
        environment.make(tree, ["lock.txt"])

    assert "DO NOT MATCH THE HASHES" in capfd.readouterr().err


def test_package_without_a_hash_is_refused_every_time(
    tree: Path, package: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (tree / "lock.txt").write_text(f"{NAME}==1.0\n")

    for _ in range(2):
        with pytest.raises(SetupRefused, match="pip failed"):
            environment.make(tree, ["lock.txt"])

    assert capfd.readouterr().err.count("Hashes are required in --require-hashes mode") == 2


def test_environment_whose_python_is_gone_is_made_anew(tree: Path) -> None:
    python = environment.make(tree, ["empty.txt"])
    python.unlink()

    environment.make(tree, ["empty.txt"])

    assert python.exists()


def test_moved_environment_is_made_anew(tree: Path) -> None:
    environment.make(tree, ["empty.txt"])
    (tree / ".venv").rename(tree / "elsewhere")
    (tree / "elsewhere" / "mark").touch()

    environment.make(tree, ["empty.txt"], tree / "elsewhere")

    assert not (tree / "elsewhere" / "mark").exists()


def test_python_without_venv_is_told(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(tools, "VENV", tools.Tool("Python's venv module", ("python3.11-venv",), lambda: False))

    with pytest.raises(SetupRefused, match=r"python3\.11-venv"):
        environment.make(tree, ["empty.txt"])
