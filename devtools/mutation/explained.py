"""The survivors that cannot be killed because they change nothing that anybody could notice, each with its reason."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from devtools.mutation.mutants import Mutant

FILE = Path(__file__).with_name("explained.toml")


@dataclass(frozen=True, slots=True)
class Explained:
    """Why a change of one function makes no difference; it stands for each mutant with the same lines."""

    module: str
    function: str
    was: str
    becomes: str
    why: str

    def is_of(self, mutant: Mutant) -> bool:
        """Whether the mutant is the one that is explained."""
        mine = (self.module, self.function, self.was, self.becomes)
        return mine == (mutant.module, mutant.function, mutant.was, mutant.becomes)


def read(file: Path = FILE) -> list[Explained]:
    """All explanations. Raises ValueError for one without a reason."""
    rows = [Explained(**row) for row in tomllib.loads(file.read_text(encoding="utf-8")).get("mutant", [])]
    for row in rows:
        if not row.why.strip():
            raise ValueError(f"{row.module}, {row.function}: a survivor without a reason is not explained")
    return rows
