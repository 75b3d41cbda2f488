"""`python -m devtools.testing.run check|unit|all|long`: what the Makefile's test targets do.

It starts the servers that tests need on free ports, runs the checks and the tests, and ends with a plain summary.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from devtools.servers.postgres import Postgres
from devtools.servers.valkey import Valkey
from devtools.testing import checks

ROOT = checks.ROOT
SUITE_LIMIT_SECONDS = 40 * 60
_REPORTS = ROOT / ".cache" / "reports"
_NO_SERVER = "not kafka and not browser and not celery_worker and not server and not long"
# A file's tests stay together, so that they share a cluster; each worker has clusters of its own.
_TWO_WORKERS = ("-n", "2", "--dist", "loadfile")


@dataclass(frozen=True)
class Suite:
    """One run of pytest: its name in the summary, what pytest is given, and the environment it adds."""

    name: str
    arguments: tuple[str, ...]
    environment: dict[str, str]


@dataclass(frozen=True)
class Result:
    """One line of the summary. `sound` is False as well when a run ended badly without a failed test."""

    name: str
    passed: int
    failed: int
    skipped: int
    sound: bool
    seconds: float


def check() -> list[Result]:
    """The quick part, about a minute: the checks, and the tests that need nothing."""
    return [_checked(checks.quick()), _tested(Suite("unit tests", ("-m", "unit", *_TWO_WORKERS), {}))]


def unit() -> list[Result]:
    """All tests that need no server of any kind, on SQLite."""
    return [_tested(Suite("tests without servers", ("-m", _NO_SERVER, *_TWO_WORKERS), {}))]


def everything(*, with_long: bool = False) -> list[Result]:
    """All checks; all tests on SQLite; those that use the database on a real PostgreSQL too."""
    results = [_checked([*checks.quick(), *checks.deployment()])]
    chosen = "" if with_long else "not long"
    on_database = "database and not browser and not server" + ("" if with_long else " and not long")
    with ExitStack() as servers:
        valkey = servers.enter_context(Valkey())
        postgres = servers.enter_context(Postgres())
        shared = {"CELERY_BROKER_URL": valkey.url}
        on_postgres = {**shared, "DATABASE_URL": postgres.url}
        results.append(_tested(Suite("tests on SQLite", ("-m", chosen, *_TWO_WORKERS), shared)))
        results.append(_tested(Suite("tests on PostgreSQL", ("-m", on_database, *_TWO_WORKERS), on_postgres)))
    return results


def _checked(chosen: Sequence[checks.Check]) -> Result:
    began = time.monotonic()
    outcomes = checks.run(chosen)
    passed = sum(outcome.passed for outcome in outcomes)
    failed = len(outcomes) - passed
    return Result("checks", passed, failed, 0, failed == 0, time.monotonic() - began)


def _tested(suite: Suite) -> Result:
    """Run pytest; its output goes straight to the terminal, its counts come from its report."""
    began = time.monotonic()
    report = _REPORTS / (suite.name.replace(" ", "-") + ".xml")
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    print(f"\n=== {suite.name}", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *suite.arguments]
    try:
        code = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **suite.environment},
            stdin=subprocess.DEVNULL,
            check=False,
            timeout=SUITE_LIMIT_SECONDS,
        ).returncode
    except subprocess.TimeoutExpired:
        print(f"{suite.name} took longer than {SUITE_LIMIT_SECONDS // 60} minutes and were stopped.", flush=True)
        code = 1
    passed, failed, skipped = counted(report)
    return Result(suite.name, passed, failed, skipped, code == 0 and passed > 0, time.monotonic() - began)


def counted(report: Path) -> tuple[int, int, int]:
    """Give (passed, failed, skipped) from a JUnit report; all 0 where pytest died before it wrote one."""
    if not report.exists():
        return 0, 0, 0
    suites = ElementTree.parse(report).getroot().iter("testsuite")
    counts = [[int(suite.get(name, "0")) for name in ("tests", "failures", "errors", "skipped")] for suite in suites]
    tests, failures, errors, skipped = (sum(column) for column in zip(*counts, strict=True))
    failed = failures + errors
    return max(tests - failed - skipped, 0), failed, skipped


def summary(results: Sequence[Result]) -> str:
    """Say per part what came out, and close with one plain line of the totals."""
    lines = ["", "=== summary"]
    for result in results:
        skipped = f", {result.skipped} skipped" if result.skipped else ""
        broken = "" if result.sound or result.failed else " (ended badly: see above)"
        lines.append(
            f"{result.name}: {result.passed} passed, {result.failed} failed{skipped}{broken}, {result.seconds:.0f} s"
        )
    lines.append(f"{sum(r.passed for r in results)} passed, {sum(r.failed for r in results)} failed")
    return "\n".join(lines)


AIMS: dict[str, Callable[[], list[Result]]] = {
    "check": check,
    "unit": unit,
    "all": everything,
    "long": lambda: everything(with_long=True),
}


def main(arguments: Sequence[str]) -> int:
    """Run one aim; 0 only if everything passed and every run executed something."""
    if len(arguments) != 1 or arguments[0] not in AIMS:
        print(f"Say which part to run: {', '.join(AIMS)}.", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    # The same environment for the checks and the tests; a value that is set already wins.
    importlib.import_module("tests.environment")
    results = AIMS[arguments[0]]()
    print(summary(results), flush=True)
    return 0 if all(result.sound for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
