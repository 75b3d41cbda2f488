"""Contact with a cluster: its id is fixed once, its health noted, its test told without secrets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.clusters import actions, contact, testing
from kafkaconsole.clusters.errors import AnotherCluster, ClusterRemoved, RegisteredTwice
from kafkaconsole.clusters.models import Cluster, ConnectionTest, Health
from kafkaconsole.kafka.probing import ProbeReport, Right, RightState
from kafkaconsole.kafka.values import ConnectionSettings
from tests import factories
from tests.factories import Cast
from tests.nudges import Sent

PASSWORD = "open sesame 42"
READ_MISSING = Right("READ", "groups", RightState.MISSING, "every reset")


@pytest.fixture
def cluster(cast: Cast) -> Cluster:
    return factories.make_cluster(
        cluster_id=None,
        security_protocol="SASL_PLAINTEXT",
        sasl_mechanism="PLAIN",
        sasl_username="console",
        secrets={"password": PASSWORD},
    )


def _tested(cast: Cast, cluster: Cluster, report: ProbeReport) -> ConnectionTest:
    test = actions.ask_for_test(cluster=cluster, by=cast.carol)
    testing.run_test(test_id=test.pk, probe=lambda settings: report)
    test.refresh_from_db()
    cluster.refresh_from_db()
    return test


def _report(test: ConnectionTest) -> dict[str, Any]:
    assert test.report is not None
    report: dict[str, Any] = test.report
    return report


def test_the_first_contact_fixes_the_id(cluster: Cluster) -> None:
    contact.pin(cluster=cluster, cluster_id="abc")
    contact.pin(cluster=cluster, cluster_id="abc")
    cluster.refresh_from_db()
    assert cluster.cluster_id == "abc"


def test_another_id_is_refused_and_shown(cluster: Cluster) -> None:
    contact.pin(cluster=cluster, cluster_id="abc")
    with pytest.raises(AnotherCluster) as refused:
        contact.pin(cluster=cluster, cluster_id="xyz")
    assert refused.value.facts == {"cluster": "demo", "found": "xyz", "expected": "abc"}
    cluster.refresh_from_db()
    assert (cluster.cluster_id, cluster.health) == ("abc", "unreachable")
    assert factories.trouble(cluster)["code"] == "cluster.another_cluster"


def test_one_kafka_cluster_is_registered_once(cluster: Cluster) -> None:
    other = factories.make_cluster("other", cluster_id="abc")
    with pytest.raises(RegisteredTwice) as refused:
        contact.pin(cluster=cluster, cluster_id="abc")
    assert refused.value.facts["other"] == other.name
    Cluster.objects.filter(pk=other.pk).update(is_active=False)
    contact.pin(cluster=cluster, cluster_id="abc")


def test_a_removed_cluster_is_not_contacted(cluster: Cluster) -> None:
    Cluster.objects.update(is_active=False)
    with pytest.raises(ClusterRemoved):
        contact.pin(cluster=cluster, cluster_id="abc")


def test_a_good_test_fixes_the_id_and_notes_the_health(cast: Cast, cluster: Cluster) -> None:
    test = _tested(cast, cluster, ProbeReport(cluster_id="abc", brokers=("k:9092",)))
    assert (_report(test)["usable"], _report(test)["brokers"], _report(test)["problem"]) == (True, ["k:9092"], None)
    assert (cluster.health, cluster.cluster_id, cluster.problem) == ("ok", "abc", None)
    assert AuditEvent.objects.get(verb="cluster.tested").actor == cast.carol


def test_a_missing_right_is_named(cast: Cast, cluster: Cluster) -> None:
    test = _tested(cast, cluster, ProbeReport(cluster_id="abc", rights=(READ_MISSING,)))
    assert _report(test)["rights"][0]["operation"] == "READ"
    assert _report(test)["problem"] == {"code": "cluster.rights_missing", "facts": {"rights": "READ on groups"}}
    assert (_report(test)["usable"], cluster.health) == (False, "degraded")


def test_a_failure_gives_its_reason_and_never_a_secret(cast: Cast, cluster: Cluster) -> None:
    report = ProbeReport(failure="wrong_credentials", failure_detail=f"refused console/{PASSWORD}")
    test = _tested(cast, cluster, report)
    assert _report(test)["problem"] == {"code": "kafka.unavailable", "facts": {"reason": "wrong_credentials"}}
    assert PASSWORD not in str(test.report)
    assert cluster.health == "unreachable"


def test_a_test_of_the_wrong_cluster_says_so(cast: Cast, cluster: Cluster) -> None:
    contact.pin(cluster=cluster, cluster_id="abc")
    test = _tested(cast, cluster, ProbeReport(cluster_id="xyz"))
    assert (_report(test)["usable"], _report(test)["problem"]["code"]) == (False, "cluster.another_cluster")


def test_a_test_that_is_done_is_not_done_again(cast: Cast, cluster: Cluster) -> None:
    test = _tested(cast, cluster, ProbeReport(cluster_id="abc"))

    def never(settings: ConnectionSettings) -> ProbeReport:
        raise AssertionError("asked again")

    probe: Callable[[ConnectionSettings], ProbeReport] = never
    testing.run_test(test_id=test.pk, probe=probe)


def test_a_lost_test_is_sent_again(
    cast: Cast, cluster: Cluster, sent: Sent, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    test = actions.ask_for_test(cluster=cluster, by=cast.carol)
    ConnectionTest.objects.update(nudge_at=timezone.now())
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            testing.nudge_tests()
    assert sent.messages == [("clusters.test", {"test_id": test.pk})]


def test_health_is_noted_with_its_reason_and_time(cluster: Cluster) -> None:
    contact.note_health(cluster=cluster, health=Health.DEGRADED, trouble={"code": "x", "facts": {}})
    cluster.refresh_from_db()
    assert (cluster.health, cluster.problem) == ("degraded", {"code": "x", "facts": {}})
    assert cluster.checked_at is not None
