"""The pytest plugin: what each test needs, and no skips where the judge looks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from devtools.testing import plugin

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.server
MARKS = ("kafka", "browser", "celery_worker", "server", "long", "database", "unit")

FIXTURES = """
import pytest

@pytest.fixture
def db(): ...

@pytest.fixture
def page(): ...

@pytest.fixture
def kafka_one(): ...

@pytest.fixture
def kafka_one_tools(kafka_one): ...

@pytest.fixture
def kafka_three(): ...
"""

TESTS = """
import pytest

def test_plain(): ...
def test_rows(db): ...
def test_page(page, db): ...
def test_broker(kafka_one_tools): ...
def test_brokers(kafka_three): ...

@pytest.mark.kafka
def test_said_by_hand(): ...

@pytest.mark.server
def test_own_server(): ...
"""


def run_pytest(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the folder's tests with the plugin and nothing else of ours."""
    settings = "[pytest]\nmarkers =\n" + "".join(f"    {mark}\n" for mark in MARKS)
    (folder / "pytest.ini").write_text(settings)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:django",
        "-p",
        "no:playwright",
        "-p",
        "devtools.testing.plugin",
        *arguments,
    ]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CI", "PYTEST_"))}
    return subprocess.run(
        command,
        cwd=folder,
        env={**inherited, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of tests with stand-ins of the project's fixtures."""
    (tmp_path / "conftest.py").write_text(FIXTURES)
    (tmp_path / "test_some.py").write_text(TESTS)
    return tmp_path


@pytest.mark.parametrize(
    ("expression", "chosen"),
    [
        ("unit", {"test_plain"}),
        ("database", {"test_rows", "test_page"}),
        ("browser", {"test_page"}),
        ("kafka", {"test_broker", "test_brokers", "test_said_by_hand"}),
        ("server", {"test_own_server"}),
    ],
)
def test_test_is_marked_by_what_it_asks_for(folder: Path, expression: str, chosen: set[str]) -> None:
    said = run_pytest(folder, "--collect-only", "-m", expression).stdout

    assert {line.split("::")[1] for line in said.splitlines() if "::" in line} == chosen


def test_skip_fails_under_ci(tmp_path: Path) -> None:
    (tmp_path / "test_skip.py").write_text("import pytest\ndef test_left_out():\n    pytest.skip('no server')\n")

    under_ci = run_pytest(tmp_path, CI="true")
    at_a_desk = run_pytest(tmp_path)

    assert under_ci.returncode == 1
    assert "Nothing may be skipped under CI=true" in under_ci.stdout
    assert "1 failed" in under_ci.stdout
    assert at_a_desk.returncode == 0


def test_each_worker_has_a_database_of_its_own_in_valkey() -> None:
    assert plugin.own_database("redis://127.0.0.1:6379/0", "gw0") == "redis://127.0.0.1:6379/0"
    assert plugin.own_database("redis://127.0.0.1:6379/0", "gw3") == "redis://127.0.0.1:6379/3"
