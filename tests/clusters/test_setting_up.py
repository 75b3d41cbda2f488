"""Adding, changing and removing clusters: by administrators, through the allow-list, secrets never seen again."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.http import Http404
from pytest_django import DjangoCaptureOnCommitCallbacks

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.clusters import actions, queries
from kafkaconsole.clusters.errors import BadCluster, ClusterRemoved
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.reaching import settings_of
from kafkaconsole.errors import NotAllowed
from kafkaconsole.kafka.errors import UnsafeSetting
from tests import factories
from tests.factories import Cast
from tests.nudges import Sent

SASL = {
    "bootstrap_servers": "kafka-1.example.com:9092, kafka-2.example.com:9092",
    "security_protocol": "SASL_PLAINTEXT",
    "sasl_mechanism": "SCRAM-SHA-512",
    "username": "console",
}
PASSWORD = "open sesame 42"


def _add(cast: Cast, **fields: Any) -> Cluster:
    wanted = {
        "by": cast.carol,
        "name": "shop",
        "title": "Shop",
        "environment": factories.make_environment(),
        "connection": SASL,
        "secrets": {"password": PASSWORD},
    }
    return actions.add(**{**wanted, **fields})


def test_an_administrator_adds_a_cluster_and_it_is_measured(
    cast: Cast, sent: Sent, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        cluster = _add(cast)
    cluster.refresh_from_db()
    assert cluster.bootstrap_servers == "kafka-1.example.com:9092,kafka-2.example.com:9092"
    assert (cluster.cluster_id, cluster.health) == (None, "unknown")
    assert sent.messages == [("history.sweep", {"cluster_id": cluster.pk})]
    settings = settings_of(cluster)
    assert (settings.username, settings.password) == ("console", PASSWORD)


def test_a_secret_is_neither_in_the_database_nor_in_the_record_in_clear(cast: Cast) -> None:
    cluster = _add(cast)
    actions.change(cluster=cluster, by=cast.carol, secrets={"password": PASSWORD + "!"})
    with connection.cursor() as cursor:
        cursor.execute("SELECT secrets FROM clusters_cluster")
        stored = bytes(cursor.fetchone()[0])
    assert b"sesame" not in stored
    assert all("sesame" not in str(event.facts) for event in AuditEvent.objects.all())
    assert AuditEvent.objects.get(verb="cluster.changed").facts["secrets_changed"] == ["password"]


def test_a_cluster_may_tell_the_zone_of_those_who_run_it(cast: Cast) -> None:
    cluster = _add(cast, time_zone="Asia/Seoul")
    assert cluster.time_zone == "Asia/Seoul"
    with pytest.raises(BadCluster) as refused:
        actions.change(cluster=cluster, by=cast.carol, time_zone="Seoul")
    assert refused.value.facts["field"] == "time_zone"
    assert actions.change(cluster=cluster, by=cast.carol, time_zone="").time_zone == ""
    assert AuditEvent.objects.get(verb="cluster.changed").facts["changed"] == {"time_zone": ["Asia/Seoul", ""]}


@pytest.mark.parametrize("name", ["alice", "bob", "dave", "eve"])
def test_nobody_else_sets_up_clusters(cast: Cast, name: str) -> None:
    person = getattr(cast, name)
    cluster = factories.make_cluster()
    for refused in (
        lambda: _add(cast, by=person),
        lambda: actions.change(cluster=cluster, by=person, title="Mine"),
        lambda: actions.remove(cluster=cluster, by=person),
        lambda: actions.ask_for_test(cluster=cluster, by=person),
    ):
        with pytest.raises(NotAllowed):
            refused()


def test_an_empty_secret_keeps_the_stored_one(cast: Cast) -> None:
    cluster = _add(cast)
    changed = actions.change(
        cluster=cluster, by=cast.carol, title="The shop", connection={"username": "console2"}, secrets={"password": ""}
    )
    assert settings_of(changed).password == PASSWORD
    facts = AuditEvent.objects.get(verb="cluster.changed").facts
    assert facts == {
        "changed": {"title": ["Shop", "The shop"], "username": ["console", "console2"]},
        "secrets_changed": [],
    }


def test_a_new_secret_takes_the_old_ones_place(cast: Cast) -> None:
    changed = actions.change(cluster=_add(cast), by=cast.carol, secrets={"password": "another one"})
    changed.refresh_from_db()
    assert settings_of(changed).password == "another one"


def test_a_secret_that_is_no_longer_needed_is_dropped(cast: Cast) -> None:
    changed = actions.change(cluster=_add(cast), by=cast.carol, connection={"security_protocol": "PLAINTEXT"})
    assert changed.secrets == {}


@pytest.mark.parametrize(
    ("connection", "setting"),
    [
        ({**SASL, "bootstrap_servers": "nowhere"}, "bootstrap_servers"),
        ({**SASL, "security_protocol": "TELEPATHY"}, "security_protocol"),
        ({**SASL, "sasl_mechanism": "GSSAPI"}, "sasl_mechanism"),
    ],
)
def test_settings_pass_the_allow_list(cast: Cast, connection: dict[str, object], setting: str) -> None:
    with pytest.raises(UnsafeSetting) as refused:
        _add(cast, connection=connection)
    assert refused.value.facts["setting"] == setting
    assert not Cluster.objects.exists()


@pytest.mark.parametrize(
    "field", ["plugin.library.paths", "sasl.kerberos.kinit.cmd", "ssl.engine.location", "password"]
)
def test_settings_that_nobody_may_set_are_refused(cast: Cast, field: str) -> None:
    with pytest.raises(BadCluster) as refused:
        _add(cast, connection={**SASL, field: "/tmp/evil.so"})
    assert refused.value.facts["field"] == field


@pytest.mark.parametrize(
    ("fields", "field"),
    [({"name": "Shop!"}, "name"), ({"name": "demo"}, "name"), ({"name": "DEMO"}, "name"), ({"title": " "}, "title")],
)
def test_a_name_that_is_taken_or_cannot_be_used_is_refused(cast: Cast, fields: dict[str, str], field: str) -> None:
    factories.make_cluster("demo")
    with pytest.raises(BadCluster) as refused:
        _add(cast, **fields)
    assert refused.value.facts["field"] == field


def test_a_removed_cluster_keeps_no_secret_and_its_name_is_free(cast: Cast) -> None:
    cluster = _add(cast)
    actions.remove(cluster=cluster, by=cast.carol)
    cluster.refresh_from_db()
    assert (cluster.is_active, cluster.secrets) == (False, {})
    with pytest.raises(Http404):
        queries.cluster_for(cast.alice, "shop")
    for again in (lambda: settings_of(cluster), lambda: actions.remove(cluster=cluster, by=cast.carol)):
        with pytest.raises(ClusterRemoved):
            again()
    assert _add(cast).pk != cluster.pk


def test_everyone_who_is_signed_in_sees_clusters(cast: Cast) -> None:
    cluster = factories.make_cluster()
    for person in (cast.alice, cast.dave, cast.eve):
        assert queries.cluster_for(person, "demo") == cluster
    cast.dave.is_active = False
    assert not queries.clusters_for(cast.dave).exists()
