"""No web process ever loads a Kafka client (docs/decisions/0003)."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import django, importlib, sys
django.setup()
importlib.import_module("kafkaconsole.urls")
importlib.import_module("kafkaconsole.wsgi")
print(sorted({name.split(".")[0] for name in sys.modules} & {"kafka", "confluent_kafka"}))
"""


def test_pages_and_the_api_load_no_kafka_client() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "kafkaconsole.settings"},
    )
    assert done.stdout.strip().splitlines()[-1] == "[]"
