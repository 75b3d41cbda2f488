"""docs/settings.md and the code name the same variables."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _in_code() -> set[str]:
    source = (ROOT / "kafkaconsole" / "settings.py").read_text()
    return set(re.findall(r'\benv\.[a-z]+\(\s*"([A-Z_]+)"', source))


def _in_docs() -> set[str]:
    rows = [
        line.split("|")[1]
        for line in (ROOT / "docs" / "settings.md").read_text().splitlines()
        if line.startswith("| `")
    ]
    return {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}


def test_every_variable_that_the_code_reads_is_documented() -> None:
    assert _in_code() - _in_docs() == set()


def test_no_variable_is_documented_that_the_code_does_not_read() -> None:
    assert _in_docs() - _in_code() == set()
