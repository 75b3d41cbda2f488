"""The tables in `answers/`: a line is a name, a method and eleven answers, in the order of `roles.ROLES`.

`200` is a status; `login` sends to the sign-in page; `+` after it: something was written to the audit record.
"""

from __future__ import annotations

from pathlib import Path

from tests.matrix.roles import ROLES

TABLES = Path(__file__).parent / "answers"
API = "api"
"""The table of the API's calls; the others hold addresses."""


def tables() -> list[str]:
    """Their names."""
    return sorted(path.stem for path in TABLES.glob("*.txt"))


def read(table: str) -> dict[str, tuple[str, ...]]:
    """The answers of one table by "name METHOD". Raises ValueError for a line that is none."""
    found: dict[str, tuple[str, ...]] = {}
    for line in (TABLES / f"{table}.txt").read_text().splitlines():
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if len(words) != len(ROLES) + 2:
            raise ValueError(f"answers/{table}.txt: {line!r} has {len(words)} words, expected {len(ROLES) + 2}")
        key = " ".join(words[:2])
        if key in found:
            raise ValueError(f"answers/{table}.txt has two rows for {key!r}: take one away")
        found[key] = tuple(words[2:])
    return found


def line(key: str, answers: tuple[str, ...]) -> str:
    """A row as it stands in a table."""
    name, method = key.split()
    return f"{name:<38} {method:<6} " + " ".join(f"{one:<9}" for one in answers).rstrip()
