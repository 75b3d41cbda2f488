"""What a contact with a cluster tells: the test of a connection, its health, and Kafka's own id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.audit import actions as audit
from kafkaconsole.clusters import queries
from kafkaconsole.clusters.errors import AnotherCluster, ClusterRemoved, RegisteredTwice
from kafkaconsole.clusters.models import Cluster, ConnectionTest, Health
from kafkaconsole.clusters.reaching import settings_of
from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.values import ConnectionSettings
from kafkaconsole.problems import plain, problem, problem_of

if TYPE_CHECKING:  # the module imports both clients, and this one is imported by web processes
    from kafkaconsole.kafka.probing import ProbeReport


def run_test(*, test_id: int, probe: Callable[[ConnectionSettings], ProbeReport]) -> None:
    """Test the connection and store what was found, with the rights by name and without secrets. Done ones stay."""
    test = ConnectionTest.objects.select_related("cluster").filter(pk=test_id, done_at=None).first()
    if test is None or not test.cluster.is_active:
        return
    ConnectionTest.objects.filter(pk=test.pk).update(
        nudge_at=_later(timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT))
    )
    connection = settings_of(test.cluster)
    report = probe(connection)
    with transaction.atomic():
        found = _report(report, connection)
        if not ConnectionTest.objects.filter(pk=test.pk, done_at=None).update(report=found, done_at=timezone.now()):
            return
        note_health(cluster=test.cluster, health=_health(report), trouble=_trouble(report))
        facts = {"usable": report.is_usable, "failure": report.failure or None}
        audit.record("cluster.tested", actor=test.asked_by, target=test.cluster, facts=facts)
    if report.cluster_id:
        pin(cluster=test.cluster, cluster_id=report.cluster_id)


def nudge_tests() -> None:
    """Send again for tests whose message was lost."""
    for test in queries.tests_left_behind(timezone.now())[:100]:
        ConnectionTest.objects.filter(pk=test.pk).update(nudge_at=_later(settings.NUDGE_AFTER))
        nudge.after_commit(nudge.Nudge.TEST_CLUSTER, test_id=test.pk)


def note_health(*, cluster: Cluster, health: Health, trouble: Mapping[str, object] | None) -> None:
    """What a test or a sweep just found; `trouble` is `{"code", "facts"}`. Not audited: it is no one's change."""
    Cluster.objects.filter(pk=cluster.pk).update(health=health, problem=trouble, checked_at=timezone.now())


def pin(*, cluster: Cluster, cluster_id: str) -> None:
    """Fix Kafka's own id at the first contact; raises AnotherCluster when a later contact answers with another.

    Raises RegisteredTwice when another row stands for that Kafka cluster, ClusterRemoved for a removed row.
    """
    row = Cluster.objects.get(pk=cluster.pk)
    if not row.is_active:
        raise ClusterRemoved(cluster=row.name)
    if row.cluster_id is None:
        _pin_first(row, cluster_id)
        row.refresh_from_db()
    if row.cluster_id != cluster_id:
        raise _unreachable(row, AnotherCluster(cluster=row.name, found=cluster_id, expected=row.cluster_id))


def _pin_first(row: Cluster, cluster_id: str) -> None:
    try:
        with transaction.atomic():
            Cluster.objects.filter(pk=row.pk, cluster_id=None).update(cluster_id=cluster_id)
    except IntegrityError as error:
        other = Cluster.objects.filter(cluster_id=cluster_id, is_active=True).exclude(pk=row.pk).first()
        name = other.name if other else ""
        raise _unreachable(row, RegisteredTwice(cluster=row.name, other=name, cluster_id=cluster_id)) from error


def _unreachable(row: Cluster, error: ConsoleError) -> ConsoleError:
    note_health(cluster=row, health=Health.UNREACHABLE, trouble=problem_of(error))
    return error


def _later(after: timedelta) -> datetime:
    return timezone.now() + after


def _report(report: ProbeReport, connection: ConnectionSettings) -> object:
    found = asdict(report) | {"usable": report.is_usable}
    for secret in (connection.password, connection.key_pem):
        if secret:
            found["failure_detail"] = found["failure_detail"].replace(secret, "•••")
    return plain(found)


def _health(report: ProbeReport) -> Health:
    if report.failure:
        return Health.UNREACHABLE
    return Health.DEGRADED if report.missing else Health.OK


def _trouble(report: ProbeReport) -> dict[str, object] | None:
    if report.failure:
        return problem("kafka.unavailable", reason=report.failure)
    if report.missing:
        rights = [f"{right.operation} on {right.resource}" for right in report.missing]
        return problem("cluster.rights_missing", rights=rights)
    return None
