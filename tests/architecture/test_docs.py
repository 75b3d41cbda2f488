"""What the docs name is there: files, folders, tests, targets of links, settings and make's targets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BELOW = ("", "kafkaconsole", "kafkaconsole/resets", "tests", "devtools", "docs")
"""Where a path in the docs may begin."""

LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
FILE = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:md|toml|yml))`")
TEST = re.compile(r"`(test_[a-z0-9_]{12,})`")
TARGET = re.compile(r"`make ([a-z-]+)")

NO_FILES_OF_OURS = ("billing/eu", ".demo/demo.json")
"""A group's name, and what the demo writes down."""


@cache
def _tests() -> frozenset[str]:
    names = (re.findall(r"^\s*(?:async )?def (test_\w+)", path.read_text("utf-8"), re.M) for path in _test_files())
    return frozenset(name for found in names for name in found) | {path.stem for path in _test_files()}


@cache
def _test_files() -> tuple[Path, ...]:
    return tuple((ROOT / "tests").rglob("*.py"))


def _found(pattern: re.Pattern[str]) -> Iterator[tuple[Path, str]]:
    for doc in DOCS:
        for one in pattern.findall(doc.read_text(encoding="utf-8")):
            yield doc, one


def _exists(doc: Path, named: str) -> bool:
    places = [ROOT / place / named for place in BELOW]
    return any(path.exists() or path.with_suffix(".py").exists() for path in [doc.parent / named, *places])


def test_links_lead_somewhere() -> None:
    assert [f"{doc.name}: {to}" for doc, to in _found(LINK) if not (doc.parent / to).exists()] == []


def test_files_that_are_named_are_there() -> None:
    gone = [f"{doc.name}: {name}" for doc, name in _found(FILE) if not _exists(doc, name)]
    assert [one for one in gone if not one.endswith(NO_FILES_OF_OURS)] == []


def test_tests_that_are_named_are_there() -> None:
    assert [f"{doc.name}: {name}" for doc, name in _found(TEST) if name not in _tests()] == []


def test_targets_of_make_that_are_named_are_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert [f"{doc.name}: make {name}" for doc, name in _found(TARGET) if name not in targets] == []


@pytest.mark.parametrize("pattern", [LINK, FILE, TEST, TARGET])
def test_there_is_something_to_look_at(pattern: re.Pattern[str]) -> None:
    assert sum(1 for _ in _found(pattern)) >= 5
