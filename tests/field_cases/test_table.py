"""The page on field cases says of every case where it stands, and names only tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

from tests import cases

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parent / "docs" / "field-cases.md"
ROWS = re.findall(r"^\| ([A-Z]+-\d+) \| (.+) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)


def names_of_tests() -> set[str]:
    """Every test of the repository."""
    return {
        name
        for file in TESTS.rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }


def test_every_case_stands_on_the_page_once_and_in_order() -> None:
    assert [row[0] for row in ROWS] == [case["id"] for case in cases.read("field-cases.json")["cases"]]


def test_every_test_that_the_page_names_is_there() -> None:
    named = {name for row in ROWS for name in re.findall(r"`(test_\w+)`", row[2])}
    assert named - names_of_tests() == set()


def test_every_case_has_a_test_or_says_what_it_waits_for() -> None:
    assert [row[0] for row in ROWS if not re.search(r"`test_|later: \w|decisions/|not so here", row[2])] == []


def test_every_case_that_is_played_stands_with_its_own_test() -> None:
    told = {row[0]: row[2] for row in ROWS}
    played = {name for name in names_of_tests() if re.match(r"test_[a-z]+_\d\d_", name)}
    for name in played & names_in_this_folder():
        kind, number = name.split("_")[1:3]
        assert f"`{name}`" in told[f"{kind.upper()}-{number}"]


def names_in_this_folder() -> set[str]:
    """The tests that play a case."""
    files = Path(__file__).parent.glob("test_*.py")
    return {name for file in files for name in re.findall(r"^def (test_\w+)", file.read_text(), flags=re.MULTILINE)}
