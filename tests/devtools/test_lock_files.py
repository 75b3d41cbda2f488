"""Lock files: every file by its hash, nothing that only one machine knows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from devtools.setup import lock

ROOT = Path(__file__).resolve().parents[2]
_PINNED = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)==(?P<version>\S+)", re.MULTILINE)


def blocks(text: str) -> list[str]:
    """The entries of a lock file: a line with a pin, and what is indented below it."""
    return [block for block in re.split(r"\n(?=[a-z0-9])", text) if _PINNED.match(block)]


def pins(name: str) -> dict[str, str]:
    """Package → version, as a lock file pins them."""
    text = (ROOT / f"{name}.txt").read_text()
    return {found["name"]: found["version"] for found in _PINNED.finditer(text)}


def asked(name: str) -> list[Requirement]:
    """What the input of a lock asks for."""
    lines = (ROOT / f"{name}.in").read_text().splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]


@pytest.mark.parametrize("name", lock.NAMES)
def test_every_package_is_locked_by_hash(name: str) -> None:
    entries = blocks((ROOT / f"{name}.txt").read_text())

    assert entries
    assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("name", lock.NAMES)
def test_lock_names_no_host_and_no_folder(name: str) -> None:
    assert lock.private_lines((ROOT / f"{name}.txt").read_text()) == []


@pytest.mark.parametrize(
    "line",
    [
        "--index-url=x",
        "--extra-index-url file:///srv/wheels",
        "--find-links /srv/wheels",
        "thing @ https://example.test/thing.whl",
    ],
)
def test_private_place_in_a_lock_is_seen(line: str) -> None:
    assert lock.private_lines(f"django==5.2 \\\n    --hash=sha256:00\n{line}\n") == [line]


@pytest.mark.parametrize("name", lock.NAMES)
def test_lock_holds_what_its_input_asks_for(name: str) -> None:
    pinned = pins(name)

    wrong = [str(wish) for wish in asked(name) if not wish.specifier.contains(pinned.get(wish.name, "0"))]
    assert wrong == []


def test_kafka_python_is_pinned_exactly() -> None:
    assert pins("requirements")["kafka-python"] == "3.0.12"


@pytest.mark.parametrize("later", ["requirements-demo", "requirements-dev"])
def test_later_locks_agree_with_production(later: str) -> None:
    production, other = pins("requirements"), pins(later)

    assert {name: other[name] for name in production.keys() & other.keys() if other[name] != production[name]} == {}


def test_front_end_lock_has_integrity_and_no_addresses() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]

    libraries = {path: entry for path, entry in packages.items() if path}
    assert libraries
    assert [path for path, entry in libraries.items() if not entry.get("integrity", "").startswith("sha512-")] == []
    assert [path for path, entry in libraries.items() if "resolved" in entry] == []


def test_front_end_versions_are_exact() -> None:
    wanted = json.loads((ROOT / "package.json").read_text())["dependencies"]

    assert [version for version in wanted.values() if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []
