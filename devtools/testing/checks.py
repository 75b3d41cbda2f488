"""The checks that are no tests: style, types, import contracts, migrations, templates, and the files of the deployment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_BIN = Path(sys.executable).parent
_SIDE_BY_SIDE = 2


@dataclass(frozen=True)
class Check:
    """One command that must end with 0."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """How one check ended; `said` is all it printed, `seconds` how long it took."""

    name: str
    passed: bool
    said: str
    seconds: float


def quick() -> list[Check]:
    """The checks of `make check`, the longest first."""
    manage = (sys.executable, "manage.py")
    return [
        Check("types (mypy)", (_tool("mypy"),)),
        Check("import contracts (import-linter)", (_tool("lint-imports"), "--no-cache")),
        Check("migrations are complete", (*manage, "makemigrations", "--check", "--dry-run")),
        Check("Django's system checks", (*manage, "check", "--fail-level", "WARNING")),
        Check("style (ruff check)", (_tool("ruff"), "check", "--quiet", ".")),
        Check("form (ruff format)", (_tool("ruff"), "format", "--check", "--quiet", ".")),
        Check("templates (djade)", (_tool("djade"), "--check", "--target-version", "5.2", *templates())),
    ]


def deployment() -> list[Check]:
    """The checks of Dockerfile and compose file; none of them needs an engine."""
    schema = ("--builtin-schema", "vendor.compose-spec", "docker-compose.yml")
    compose = (*_compose(), "--env-file", ".env.example")
    # .env.example leaves secrets empty, and compose refuses that.
    filled = dict.fromkeys(("SECRET_KEY", "AUDIT_KEY", "FIELD_KEYS", "POSTGRES_PASSWORD"), "checked")
    return [
        Check("Dockerfile (hadolint)", (_tool("hadolint"), "Dockerfile")),
        Check("compose file against its schema", (_tool("check-jsonschema"), *schema)),
        Check("compose file (docker-compose config)", (*compose, "config", "-q"), filled),
        Check("compose file with the demo's Kafka", (*compose, "--profile", "demo", "config", "-q"), filled),
    ]


def run(checks: Sequence[Check]) -> list[Outcome]:
    """Run the checks, two at a time, and print each outcome, with everything a failed one said."""
    with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
        outcomes = []
        for outcome in pool.map(_run_one, checks):
            print(f"{'ok    ' if outcome.passed else 'FAILED'} {outcome.name} ({outcome.seconds:.1f} s)", flush=True)
            if not outcome.passed:
                print(outcome.said, flush=True)
            outcomes.append(outcome)
    return outcomes


def templates() -> list[str]:
    """All templates, as djade takes files and not folders."""
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "templates").rglob("*.html"))]


def _run_one(check: Check) -> Outcome:
    began = time.monotonic()
    # A database that needs no server: checks look at models, never at rows.
    environment = {**os.environ, "DATABASE_URL": "sqlite://:memory:", **check.environment}
    try:
        ran = subprocess.run(
            check.command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        return Outcome(check.name, False, f"{check.command[0]} could not be started: {error}", 0.0)
    return Outcome(check.name, ran.returncode == 0, (ran.stdout + ran.stderr).strip(), time.monotonic() - began)


def _tool(name: str) -> str:
    return str(_BIN / name)


def _compose() -> tuple[str, ...]:
    return ("docker-compose",) if shutil.which("docker-compose") else ("docker", "compose")
