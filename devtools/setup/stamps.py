"""Stamps: a small file saying from which inputs a step's result was made, so that a step runs only when they changed.

A stamp lives inside the result it vouches for: whoever deletes the result deletes its stamp too.
"""

from __future__ import annotations

import hashlib
from pathlib import Path


def digest(*inputs: Path | str) -> str:
    """Give the SHA-256 over the inputs in order: a path stands for the file's bytes, a string for itself."""
    whole = hashlib.sha256()
    for entry in inputs:
        content = entry.read_bytes() if isinstance(entry, Path) else entry.encode()
        whole.update(hashlib.sha256(content).digest())
    return whole.hexdigest()


def fits(stamp: Path, expected: str) -> bool:
    """Say whether the stamp exists and carries the expected digest."""
    try:
        return stamp.read_text(encoding="ascii").strip() == expected
    except OSError:
        return False


def put(stamp: Path, value: str) -> None:
    """Write the stamp; call it last, once the step's whole result stands."""
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(value + "\n", encoding="ascii")
