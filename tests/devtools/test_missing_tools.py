"""A missing program is installed for a Debian root, and told in one sentence to everyone else."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from devtools.setup import tools
from devtools.setup.errors import SetupRefused
from devtools.setup.tools import Tool

ROOT = Path(__file__).resolve().parents[2]
ABSENT = Tool("Node.js with npm", ("nodejs", "npm"), lambda: False)
ALSO_ABSENT = Tool("Maven", ("maven", "nodejs"), lambda: False)
PRESENT = Tool("Python", ("python3",), lambda: True)


@pytest.fixture
def nobody_special(monkeypatch: pytest.MonkeyPatch) -> None:
    """We are not root."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)


def stand_in(folder: Path, name: str, script: str) -> None:
    """Put a program of this name into the folder."""
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_nothing_happens_when_every_tool_is_there(nobody_special: None) -> None:
    tools.require([PRESENT])


def test_someone_on_debian_gets_one_sentence_with_the_exact_command(
    nobody_special: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "is_debian", lambda: True)

    with pytest.raises(SetupRefused) as refusal:
        tools.require([PRESENT, ABSENT, ALSO_ABSENT])

    assert str(refusal.value) == (
        "Kafka Console needs Node.js with npm and Maven, not found here: "
        "run `sudo apt-get install -y nodejs npm maven` and try again."
    )


def test_someone_elsewhere_is_told_the_names_too(nobody_special: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "is_debian", lambda: False)

    with pytest.raises(SetupRefused, match=r"install it \(on Debian: `sudo apt-get install -y nodejs npm`\)"):
        tools.require([ABSENT])


def test_root_elsewhere_gets_the_sentence_and_no_apt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(tools, "is_debian", lambda: False)

    with pytest.raises(SetupRefused, match="not found here"):
        tools.require([ABSENT])


@pytest.fixture
def debian_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """We are root on a Debian whose apt-get writes down what it was asked."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(tools, "is_debian", lambda: True)
    stand_in(tmp_path, "apt-get", f'echo "$@" >> {tmp_path}/asked')
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path


def test_root_on_debian_gets_the_packages_installed(debian_root: Path) -> None:
    arrived = Tool("Maven", ("maven",), lambda: (debian_root / "asked").exists())

    tools.require([arrived])

    update, install = (debian_root / "asked").read_text().splitlines()
    assert update.endswith("update")
    assert install.endswith("install -y --no-install-recommends maven")


def test_root_is_told_when_the_packages_did_not_bring_the_program(debian_root: Path) -> None:
    with pytest.raises(SetupRefused, match=r"installed its packages, yet Node\.js with npm cannot be found"):
        tools.require([ABSENT])


def test_root_is_told_when_apt_fails(debian_root: Path) -> None:
    stand_in(debian_root, "apt-get", "exit 100")

    with pytest.raises(SetupRefused, match="`apt-get .*update` failed"):
        tools.require([ABSENT])


@pytest.mark.parametrize(
    ("version", "is_enough"),
    [("17.0.15", True), ("25", True), ("11.0.2", False), ("1.8.0_392", False)],
)
def test_java_older_than_17_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, is_enough: bool
) -> None:
    stand_in(tmp_path, "java", f"echo 'openjdk version \"{version}\" 2025-04-15' >&2")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    assert tools.JAVA.is_there() is is_enough


def test_java_that_only_says_there_is_none_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, "java", "echo 'Unable to locate a Java Runtime.' >&2; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    assert not tools.JAVA.is_there()


def test_machine_without_python_gets_one_sentence(tmp_path: Path) -> None:
    stand_in(tmp_path, "id", "echo 1000")

    ran = subprocess.run(
        ["/bin/sh", str(ROOT / "devtools" / "setup" / "python.sh"), "-c", "pass"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 1
    assert ran.stderr.count("\n") == 1
    assert "run `sudo apt-get install -y python3 python3-venv`" in ran.stderr


def test_python_that_is_too_old_is_passed_over(tmp_path: Path) -> None:
    stand_in(tmp_path, "id", "echo 1000")
    stand_in(tmp_path, "python3.11", "exit 1")
    stand_in(tmp_path, "python3.12", 'case "$2" in *version_info*) exit 0;; esac; echo "I ran $*"')

    ran = subprocess.run(
        ["/bin/sh", str(ROOT / "devtools" / "setup" / "python.sh"), "-m", "something"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.stdout == "I ran -m something\n"
