"""Under gunicorn, over a real socket: names that a server would decode, and downloads that are left."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection

from devtools.kafka.waiting import comes_true
from kafkaconsole.records import actions, exporting
from kafkaconsole.records.actions import Wanted
from kafkaconsole.records.models import ExportState, RecordExport
from kafkaconsole.records.spans import Until
from kafkaconsole.resets.models import ResetRequest
from tests.api.calling import Api
from tests.api.test_groups import AWKWARD, add_group
from tests.fakes.kafka import FakeKafka
from tests.nudges import Sent
from tests.records.scene import Scene

pytestmark = pytest.mark.django_db(transaction=True)

LIMIT_SECONDS = 30.0


@pytest.fixture
def port(db: None, tmp_path: Path) -> Iterator[int]:
    """A gunicorn on a free port, on the database of this test."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "gunicorn", "kafkaconsole.wsgi", "--bind", f"127.0.0.1:{number}"]
    command += ["--threads", "4", "--graceful-timeout", "2"]
    log = (tmp_path / "gunicorn.log").open("wb")
    environment = {**os.environ, "DATABASE_URL": _database_url(), "ALLOWED_HOSTS": "127.0.0.1"}
    server = subprocess.Popen(command, env=environment, cwd=settings.BASE_DIR, stdout=log, stderr=log)
    try:
        _wait(lambda: _answers(number) or server.poll() is not None)
        assert server.poll() is None, (tmp_path / "gunicorn.log").read_text()
        yield number
    finally:
        server.terminate()
        server.wait(LIMIT_SECONDS)
        log.close()


def _database_url() -> str:
    config = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{config['NAME']}"
    login = f"{config['USER']}:{quote(config['PASSWORD'] or '', safe='')}"
    return f"postgres://{login}@{config['HOST']}:{config['PORT']}/{config['NAME']}"


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    return False


def _wait(done: Callable[[], bool]) -> None:
    assert comes_true(done, limit=LIMIT_SECONDS, every=0.05), "it did not happen in time"


def _get(port: int, token: str | None, path: str) -> http.client.HTTPResponse:
    """The path exactly as written: no library in between that would tidy it."""
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_SECONDS)
    caller.request("GET", f"/api/v1{path}", headers={"Authorization": f"Bearer {token}"})
    return caller.getresponse()


def test_any_name_works_as_one_segment_under_a_real_server(scene: Scene, api: Callable[..., Api], port: int) -> None:
    token = api(scene.dave).token
    for name in AWKWARD:
        add_group(scene, name)
        for rest in ("", "/history"):
            answer = _get(port, token, f"/clusters/demo/groups/{quote(name, safe='')}{rest}")
            assert answer.status == 200, (name, rest)
            assert json.loads(answer.read())["group"] == name


def test_broken_paths_are_problems_under_a_real_server(scene: Scene, api: Callable[..., Api], port: int) -> None:
    token = api(scene.dave).token
    for path in ("/clusters/demo/groups/%FF", "/clusters/demo/groups/a%00", "/clusters/%00", "/clusters/%FF", "/%FF"):
        answer = _get(port, token, path)
        assert (answer.status, answer.headers["Content-Type"]) == (404, "application/problem+json"), path


def test_a_client_that_goes_away_cancels_its_export(
    scene: Scene, planned: ResetRequest, api: Callable[..., Api], port: int, sent: Sent
) -> None:
    kafka = FakeKafka()
    kafka.add_topic("hello", partitions=2)
    for _ in range(400):
        kafka.produce("hello", 0, b"x" * 100)
    export = actions.ask(request=planned, by=scene.alice, wanted=Wanted(Until.LOG_END, limit=1000))
    RecordExport.objects.update(spans=[["hello", 0, 0, 400]], offsets_total=400)
    answer = _get(port, api(scene.alice).token, f"/requests/{planned.pk}/records.jsonl?export={export.pk}")
    exporting.export(export_id=export.pk, connect_records=kafka.connect_records, slice_=timedelta(0))
    assert answer.readline().startswith(b'{"topic":"hello"')
    answer.close()
    _wait(lambda: _goes_on_or_ended(export.pk, kafka))
    assert RecordExport.objects.get().state == ExportState.CANCELLED


def _goes_on_or_ended(export_id: int, kafka: FakeKafka) -> bool:
    """The server notices that nobody listens when it has more to send."""
    exporting.export(export_id=export_id, connect_records=kafka.connect_records, slice_=timedelta(0))
    return RecordExport.objects.get(pk=export_id).is_final
