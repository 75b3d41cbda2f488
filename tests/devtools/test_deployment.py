"""The compose file: what runs, what it waits for, and no secret with a default."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from devtools.testing import checks

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.server
SECRETS = ("SECRET_KEY", "AUDIT_KEY", "FIELD_KEYS", "POSTGRES_PASSWORD")


def compose(*arguments: str, **secrets: str) -> subprocess.CompletedProcess[str]:
    """Run docker-compose on the repository's file with these secrets and no others."""
    environment = {name: value for name, value in os.environ.items() if name not in SECRETS}
    return subprocess.run(
        [*checks._compose(), "--env-file", ".env.example", *arguments],
        cwd=ROOT,
        env={**environment, **secrets},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """The services as docker-compose resolves them, the demo's Kafka included."""
    import yaml

    ran = compose("--profile", "demo", "config", **dict.fromkeys(SECRETS, "x"))
    assert ran.returncode == 0, ran.stderr
    return dict(yaml.safe_load(ran.stdout)["services"])


@pytest.mark.parametrize("missing", SECRETS)
def test_compose_refuses_to_start_without_a_secret(missing: str) -> None:
    ran = compose("config", "-q", **{name: "x" for name in SECRETS if name != missing})

    assert ran.returncode != 0
    assert "set it in .env" in ran.stderr


def test_all_parts_are_there(services: dict[str, Any]) -> None:
    assert set(services) == {"migrate", "web", "worker", "beat", "postgres", "redis", "kafka"}


def test_kafka_comes_only_with_the_demo(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if service.get("profiles")] == ["kafka"]


def test_every_lasting_service_has_a_health_check(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if "healthcheck" not in service] == ["migrate"]


def test_nothing_sleeps_in_order_to_wait(services: dict[str, Any]) -> None:
    assert "sleep" not in json.dumps(services)


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_parts_wait_for_the_migration_and_the_broker(services: dict[str, Any], name: str) -> None:
    waits = {other: how["condition"] for other, how in services[name]["depends_on"].items()}

    assert waits == {"migrate": "service_completed_successfully", "redis": "service_healthy"}


@pytest.mark.parametrize("name", ["migrate", "web", "worker", "beat"])
def test_limits_are_counted_in_redis_apart_from_the_messages(services: dict[str, Any], name: str) -> None:
    told = services[name]["environment"]

    assert told["CACHE_URL"] == "redis://redis:6379/1"
    assert told["CELERY_BROKER_URL"] == "redis://redis:6379/0"


def test_worker_takes_every_queue(services: dict[str, Any]) -> None:
    assert "-Q plan,execute,sweep,notify" in services["worker"]["command"]


@pytest.mark.parametrize("name", ["web", "kafka"])
def test_ports_are_open_on_the_loopback_address_alone(services: dict[str, Any], name: str) -> None:
    assert [port for port in services[name]["ports"] if not str(port).startswith("127.0.0.1:")] == []


def test_every_variable_of_compose_is_in_the_example() -> None:
    used = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    given = set(re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))

    assert used == given


def test_static_files_can_be_fingerprinted_as_the_image_does(tmp_path: Path) -> None:
    storage = "whitenoise.storage.CompressedManifestStaticFilesStorage"

    ran = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput"],
        cwd=ROOT,
        env={**os.environ, "STATIC_ROOT": str(tmp_path), "STATIC_STORAGE": storage},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    fingerprinted = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    assert {"vendor/bootstrap/bootstrap.min.css", "vendor/uplot/uPlot.iife.min.js"} <= set(fingerprinted)


def test_the_image_speaks_every_language_of_the_pages() -> None:
    """The catalogues are neither kept out of the build nor left behind in its last stage."""
    last_stage = (ROOT / "Dockerfile").read_text().rsplit("\nFROM ", 1)[1]
    assert "COPY locale locale\n" in last_stage
    assert "!locale" in (ROOT / ".dockerignore").read_text().split()
