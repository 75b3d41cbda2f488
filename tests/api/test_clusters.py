"""Clusters: everyone reads, administrators write, secrets never come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.clusters.models import Cluster, ConnectionTest
from kafkaconsole.resets.models import ResetRequest
from tests.api.calling import Api
from tests.records.scene import Scene

NEW = {
    "name": "second",
    "title": "Second",
    "environment": "test",
    "bootstrap_servers": ["kafka-2:9092", "kafka-3:9092"],
    "security_protocol": "SASL_PLAINTEXT",
    "sasl_mechanism": "PLAIN",
    "username": "console",
    "password": "hunter2-secret",
}


def test_everyone_reads_clusters(scene: Scene, api: Callable[..., Api]) -> None:
    answer = api(scene.dave).get("/clusters").json
    [cluster] = answer["items"]
    assert answer["next"] is None
    assert cluster == {
        "name": "demo",
        "title": "Demo",
        "cluster_id": "fake-cluster",
        "environment": "test",
        "bootstrap_servers": ["kafka-1:9092"],
        "security_protocol": "PLAINTEXT",
        "time_zone": None,
        "health": "unknown",
        "problem": None,
        "as_of": None,
    }
    assert api(scene.eve).get("/clusters/demo").json == cluster


def test_a_stored_problem_is_told_as_an_error(scene: Scene, api: Callable[..., Api]) -> None:
    Cluster.objects.update(
        health="unreachable", problem={"code": "kafka.unavailable", "facts": {"reason": "timed_out"}}
    )
    problem = api(scene.dave).get("/clusters/demo").json["problem"]
    assert (problem["code"], problem["status"]) == ("kafka.unavailable", 503)
    assert "did not answer in time" in problem["detail"]


def test_an_administrator_adds_a_cluster_and_nobody_reads_its_secret(scene: Scene, api: Callable[..., Api]) -> None:
    answer = api(scene.carol).post("/clusters", NEW)
    assert answer.status == 201
    assert answer.headers["Location"] == "/api/v1/clusters/second"
    assert "hunter2" not in answer.text
    assert Cluster.objects.get(name="second").secrets["password"] == "hunter2-secret"
    assert "hunter2" not in str(list(AuditEvent.objects.values()))


@pytest.mark.parametrize("person", ["alice", "bob", "dave", "eve"])
def test_nobody_else_writes_clusters(scene: Scene, api: Callable[..., Api], person: str) -> None:
    caller = api(getattr(scene, person))
    calls: list[tuple[str, str, Any]] = [
        ("POST", "/clusters", NEW),
        ("PATCH", "/clusters/demo", {"title": "Mine"}),
        ("DELETE", "/clusters/demo", None),
        ("POST", "/clusters/demo/test", None),
        ("GET", "/clusters/demo/tests/1", None),
    ]
    for method, path, body in calls:
        answer = caller.call(method, path, body)
        assert (answer.status, answer.code) == (403, "console.not_allowed"), path
        assert "administrator" in answer.json["detail"]
    assert Cluster.objects.get().title == "Demo"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"name": "Second!"}, 422),
        ({"name": "demo"}, 422),
        ({"environment": "moon"}, 422),
        ({"bootstrap_servers": []}, 422),
        ({"bootstrap_servers": ["no port"]}, 422),
        ({"security_protocol": "NONE"}, 422),
        ({"time_zone": "Asia/Nowhere"}, 422),
        ({"plugin.library.paths": "/lib/evil.so"}, 422),
        ({"password": 7}, 422),
    ],
)
def test_a_bad_cluster_is_refused_and_not_kept(
    scene: Scene, api: Callable[..., Api], change: dict[str, Any], status: int
) -> None:
    answer = api(scene.carol).post("/clusters", {**NEW, **change})
    assert answer.status == status
    assert "hunter2" not in answer.text
    assert Cluster.objects.count() == 1


def test_a_change_leaves_what_is_not_given(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.carol)
    caller.post("/clusters", {**NEW, "time_zone": "Asia/Seoul"})
    answer = caller.call("PATCH", "/clusters/second", {"title": "Other", "bootstrap_servers": ["kafka-9:9092"]})
    assert (answer.status, answer.json["title"], answer.json["time_zone"]) == (200, "Other", "Asia/Seoul")
    assert caller.call("PATCH", "/clusters/second", {"time_zone": ""}).json["time_zone"] is None
    row = Cluster.objects.get(name="second")
    assert (row.bootstrap_servers, row.sasl_username, row.secrets) == (
        "kafka-9:9092",
        "console",
        {"password": "hunter2-secret"},
    )


def test_a_removed_cluster_is_gone(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.carol)
    answer = caller.call("DELETE", "/clusters/demo")
    assert (answer.status, answer.text) == (204, "")
    assert caller.get("/clusters/demo").status == 404


def test_a_cluster_with_open_requests_stays(scene: Scene, api: Callable[..., Api], planned: ResetRequest) -> None:
    answer = api(scene.carol).call("DELETE", "/clusters/demo")
    assert (answer.status, answer.code) == (409, "cluster.in_use")


def test_a_connection_test_is_asked_for_and_its_report_read(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.carol)
    asked = caller.post("/clusters/demo/test")
    assert (asked.status, asked.json["report"]) == (202, None)
    ConnectionTest.objects.update(done_at=timezone.now(), report={"ok": True})
    path = asked.headers["Location"].removeprefix("/api/v1")
    assert caller.get(f"{path}?wait_s=5").json["report"] == {"ok": True}
