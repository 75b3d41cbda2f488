"""Clusters on pages: adding, changing, testing with the missing right by name, removing; secrets never come back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.clusters.models import Cluster, ConnectionTest, Environment
from kafkaconsole.resets.states import State
from tests.factories import Cast, make_cluster, make_environment, request_in
from tests.nudges import Sent
from tests.scene import Scene

SECRET = "hunter2-hunter2"  # noqa: S105  of a cluster that does not exist


def typed(**fields: str) -> dict[str, str]:
    return {
        "title": "Production EU",
        "name": "prod-eu",
        "environment": "staging",
        "bootstrap_servers": "kafka-1.example.com:9092, kafka-2.example.com:9092",
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": "SCRAM-SHA-512",
        "username": "console",
        "password": SECRET,
        "check_hostname": "on",
        **fields,
    }


@pytest.fixture
def carol(cast: Cast, client: Client, sent: Sent) -> Client:
    """Carol's browser, and an environment."""
    make_environment()
    client.force_login(cast.carol)
    return client


def report(**fields: Any) -> dict[str, Any]:
    right = {
        "operation": "READ",
        "resource": "groups",
        "state": "ok",
        "needed_for": "resets",
        "detail": "",
        "optional": False,
    }
    whole = {
        "usable": True,
        "brokers": ["kafka-1:9092"],
        "rights": [right],
        "failure": "",
        "failure_detail": "",
        "problem": None,
    }
    return whole | fields


def with_report(cluster: Cluster, cast: Cast, found: dict[str, Any]) -> ConnectionTest:
    return ConnectionTest.objects.create(cluster=cluster, asked_by=cast.carol, done_at=timezone.now(), report=found)


def test_signed_out_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    for address in ("/clusters", "/clusters/new", "/clusters/demo/", "/clusters/demo/edit"):
        assert client.get(address).status_code == 302


def test_no_cluster_yet_teaches_the_next_step(carol: Client, cast: Cast) -> None:
    assert 'href="/clusters/new"' in carol.get("/clusters").content.decode()
    carol.force_login(cast.alice)
    html = carol.get("/clusters").content.decode()
    assert "An administrator adds the first one" in html
    assert 'href="/clusters/new"' not in html


def test_administrator_adds_a_cluster_and_it_is_tested_at_once(
    carol: Client, sent: Sent, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answer = carol.post("/clusters/new", typed())
    assert answer["Location"] == "/clusters/prod-eu/"
    cluster = Cluster.objects.get()
    assert cluster.bootstrap_servers == "kafka-1.example.com:9092,kafka-2.example.com:9092"
    assert cluster.secrets == {"password": SECRET}
    assert sorted(sent.names()) == ["clusters.test", "history.sweep"]
    assert [one.verb for one in AuditEvent.objects.order_by("number")] == ["person.signed_in", "cluster.added"]


def test_new_environment_is_made_with_the_cluster_or_not_at_all(carol: Client) -> None:
    wrong = typed(environment="new", new_environment="Produktion", is_production="on", bootstrap_servers="nonsense")
    assert carol.post("/clusters/new", wrong).status_code == 422
    assert not Environment.objects.filter(name="Produktion").exists()
    assert carol.post("/clusters/new", wrong | {"bootstrap_servers": "kafka-1:9092"}).status_code == 302
    assert Cluster.objects.get().environment.is_production


def test_new_environment_needs_a_name_that_is_free(carol: Client) -> None:
    for name, said in (
        ("", "Say what the new environment"),
        ("Staging", "no other environment has"),
        ("!!!", "a to z"),
    ):
        answer = carol.post("/clusters/new", typed(environment="new", new_environment=name))
        assert answer.status_code == 422
        assert said in answer.content.decode()
    assert not Cluster.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("bootstrap_servers", "kafka-1.example.com", "host:port such as"),
        ("name", "Prod EU", "small letters, digits"),
        ("sasl_mechanism", "", "sasl_mechanism"),
        ("security_protocol", "PLAIN", "not one of the available choices"),
        ("environment", "moon", "not one of the available choices"),
        ("time_zone", "Asia/Nowhere", "not one of the available choices"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_is_kept(field: str, value: str, said: str, carol: Client) -> None:
    answer = carol.post("/clusters/new", typed(**{field: value}))
    html = answer.content.decode()
    assert answer.status_code == 422
    assert said in html
    assert 'value="Production EU"' in html
    assert SECRET not in html
    assert not Cluster.objects.exists()


def test_key_that_was_typed_never_comes_back(carol: Client) -> None:
    key = "-----BEGIN PRIVATE KEY-----secret-----END PRIVATE KEY-----"
    html = carol.post("/clusters/new", typed(security_protocol="SSL", key_pem=key)).content.decode()
    assert "secret-----END" not in html


def test_name_that_is_taken_is_refused(carol: Client) -> None:
    make_cluster("prod-eu", cluster_id=None)
    assert "a name that no other cluster has" in carol.post("/clusters/new", typed()).content.decode()


def test_change_keeps_a_secret_that_is_left_empty(carol: Client) -> None:
    carol.post("/clusters/new", typed())
    html = carol.get("/clusters/prod-eu/edit").content.decode()
    assert SECRET not in html
    assert "Left empty, the present one stays." in html
    changed = typed(title="Production", password="", time_zone="Europe/Berlin")
    assert carol.post("/clusters/prod-eu/edit", changed).status_code == 302
    cluster = Cluster.objects.get()
    assert (cluster.title, cluster.secrets) == ("Production", {"password": SECRET})
    assert cluster.time_zone == "Europe/Berlin"
    assert '<option value="Europe/Berlin" selected>' in carol.get("/clusters/prod-eu/edit").content.decode()


def test_change_that_is_wrong_changes_nothing(carol: Client) -> None:
    carol.post("/clusters/new", typed())
    answer = carol.post("/clusters/prod-eu/edit", typed(bootstrap_servers="x"))
    assert answer.status_code == 422
    assert Cluster.objects.get().bootstrap_servers.startswith("kafka-1.example.com")


@pytest.mark.parametrize("who", ["alice", "bob", "dave", "eve"])
def test_others_see_a_cluster_and_cannot_set_it_up(who: str, scene: Scene, client: Client, sent: Sent) -> None:
    client.force_login(getattr(scene.cast, who))
    html = client.get("/clusters/demo/").content.decode()
    assert "kafka-1.example.com:9092" in html
    assert "/clusters/demo/test" not in html
    assert "Only an administrator" in html
    assert client.get("/clusters/new").status_code == 403
    for verb in ("test", "remove"):
        assert client.post(f"/clusters/demo/{verb}").status_code == 403
    assert client.post("/clusters/demo/edit", typed()).status_code == 403
    assert Cluster.objects.get().is_active


def test_test_under_way_is_followed_until_it_is_done(scene: Scene, client: Client, sent: Sent) -> None:
    client.force_login(scene.cast.carol)
    assert client.post("/clusters/demo/test").status_code == 302
    html = client.get("/clusters/demo/").content.decode()
    assert "Being tested" in html
    assert 'data-live-every="1"' in html
    ConnectionTest.objects.update(done_at=timezone.now(), report=report())
    html = client.get("/clusters/demo/", headers={"HX-Request": "true"}).content.decode()
    assert "every right it needs" in html
    assert "data-live-every" not in html
    assert 'id="cluster-health" hx-swap-oob="true"' in html


def test_missing_right_is_named(scene: Scene, client: Client) -> None:
    missing = {
        "operation": "READ",
        "resource": "groups",
        "state": "missing",
        "needed_for": "every reset",
        "optional": False,
    }
    trouble = {"code": "cluster.rights_missing", "facts": {"rights": "READ on groups"}}
    with_report(scene.cluster, scene.cast, report(usable=False, rights=[missing], problem=trouble))
    client.force_login(scene.cast.carol)
    html = client.get("/clusters/demo/").content.decode()
    assert "lacks rights there (READ on groups)" in html
    assert "every reset" in html


def test_failed_connection_says_what_to_look_at(scene: Scene, client: Client) -> None:
    trouble = {"code": "kafka.unavailable", "facts": {"reason": "wrong_credentials"}}
    found = report(
        usable=False, rights=[], brokers=[], problem=trouble, failure="wrong_credentials", failure_detail="SASL <b>"
    )
    with_report(scene.cluster, scene.cast, found)
    client.force_login(scene.cast.carol)
    html = client.get("/clusters/demo/").content.decode()
    assert "refuse the name or the password" in html
    assert "SASL &lt;b&gt;" in html


def test_report_of_a_test_that_never_reached_the_cluster_is_drawn(scene: Scene, client: Client) -> None:
    trouble = {"code": "kafka.unsafe_setting", "facts": {"setting": "x", "found": "y", "expected": "z"}}
    with_report(scene.cluster, scene.cast, {"usable": False, "problem": trouble})
    client.force_login(scene.cast.carol)
    assert "x: found y, expected z." in client.get("/clusters/demo/").content.decode()


def test_cluster_with_open_requests_is_not_removed(scene: Scene, client: Client) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    client.force_login(scene.cast.carol)
    answer = client.post("/clusters/demo/remove")
    assert answer.status_code == 409
    assert "are not finished, so it is not removed" in answer.content.decode()


def test_removed_cluster_is_gone_from_pages(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.carol)
    assert client.get("/clusters/demo/remove").status_code == 405
    assert client.post("/clusters/demo/remove").status_code == 302
    assert client.get("/clusters/demo/").status_code == 404
    assert "No cluster yet" in client.get("/clusters").content.decode()


def test_cluster_called_new_has_a_page_of_its_own(carol: Client) -> None:
    carol.post("/clusters/new", typed(name="new", title="Newest"))
    assert "Newest" in carol.get("/clusters/new/").content.decode()
    assert "Add a cluster" in carol.get("/clusters/new").content.decode()
