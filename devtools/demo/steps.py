"""What of the first filling is done, kept in the demo's folder: a filling that was interrupted goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path

from devtools.demo.layout import write_private


class Steps:
    """The steps that are done, by name. `filled` in the folder says that all of them are, now and for later starts."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "steps.json"
        self._end = folder / "filled"
        self._done: list[str] = json.loads(self._file.read_text()) if self._file.exists() else []

    @property
    def all_done(self) -> bool:
        """Whether the filling came to its end once."""
        return self._end.exists()

    def is_done(self, name: str) -> bool:
        """Whether this step came to its end; an interrupted one did not, however much of it was done."""
        return self.all_done or name in self._done

    def note(self, name: str) -> None:
        """Say that a step came to its end."""
        self._done.append(name)
        write_private(self._file, json.dumps(self._done))

    def end(self) -> None:
        """Say that everything is done."""
        self._end.touch()
