"""The vectors and field cases that must come out right: those in `../shared` beside the checkout where it lies there
(the newest), else the copies kept here, so that a clone alone passes too. A test holds the two together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

KEPT = Path(__file__).resolve().parent
BESIDE = KEPT.parents[2] / "shared" / "cases"


def read(name: str) -> Any:
    """A file of cases by its name, such as `reset-vectors.json`."""
    folder = BESIDE if (BESIDE / name).exists() else KEPT
    return json.loads((folder / name).read_text(encoding="utf-8"))
