"""`python -m devtools.mutation.run [FILE …]`: make the mutants, try them, and say what survived without a reason.

With files (`kafkaconsole/resets/change.py`) only their mutants; with `--again` only those that the last run left alive.
Ends with 1 where a survivor is not explained, or an explanation is of none.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from devtools.mutation import explained, mutants, scope, trying
from devtools.mutation.mutants import Mutant
from devtools.mutation.report import Findings, told

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".cache" / "mutation"
_SURVIVORS = "survivors.json"
# Plain asserts and no captured output: only whether a test fails is asked.
_PYTEST = (
    *("-p", "devtools.mutation.trying", "-p", "no:cacheprovider", "-p", "no:warnings"),
    *(f"-pno:{name}" for name in ("playwright", "schemathesis", "xdist", "pytest_cov", "base_url", "logging")),
    *("-m", "unit", "-s", "-q", "--tb=short", "--assert=plain"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it all; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--again", action="store_true", help="only what the last run left alive")
    chosen = parser.parse_args(arguments)
    todo = mutants.make(ROOT, WORK / "copy", tuple(chosen.files))
    if chosen.again:
        todo = _left(todo)
    outcomes = _tried(todo)
    findings = Findings(todo, outcomes, explained.read())
    _keep(findings)
    print(told(findings))
    return 1 if findings.unexplained or findings.outdated else 0


def _tried(todo: Sequence[Mutant]) -> dict[str, str]:
    copy = WORK / "copy"
    (copy / mutants.LISTED).write_text(json.dumps([asdict(mutant) for mutant in todo]), encoding="utf-8")
    left_out = [f"--deselect={test}" for test in scope.LEFT_OUT]
    command = [sys.executable, "-m", "pytest", *_PYTEST, *left_out, *scope.TESTS]
    # The copy alone is on the path: what is tried must be the mutated code.
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    if subprocess.run(command, cwd=copy, env=environment, stdout=sys.stderr, check=False).returncode:
        raise SystemExit("the tests could not be run on the copy: see above")
    return dict(json.loads(line) for line in (copy / trying.OUTCOMES).read_text(encoding="utf-8").splitlines())


def _key(mutant: Mutant) -> list[str]:
    return [mutant.module, mutant.function, mutant.was, mutant.becomes]


def _keep(findings: Findings) -> None:
    """Note who is alive, beside those of modules that were not tried."""
    tried = {mutant.module for mutant in findings.mutants}
    others = [key for key in _kept() if key[0] not in tried]
    text = json.dumps(others + [_key(mutant) for mutant in findings.alive])
    (WORK / _SURVIVORS).write_text(text, encoding="utf-8")


def _kept() -> list[list[str]]:
    file = WORK / _SURVIVORS
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else []


def _left(todo: Sequence[Mutant]) -> list[Mutant]:
    left = _kept()
    return [mutant for mutant in todo if _key(mutant) in left]


if __name__ == "__main__":
    sys.exit(main())
