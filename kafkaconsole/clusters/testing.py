"""Connection tests as workers do them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.audit import actions as audit
from kafkaconsole.clusters import queries
from kafkaconsole.clusters.contact import note_health, pin
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
    found, health, trouble = _tested(test.cluster, probe)
    with transaction.atomic():
        if not ConnectionTest.objects.filter(pk=test.pk, done_at=None).update(report=found, done_at=timezone.now()):
            return
        note_health(cluster=test.cluster, health=health, trouble=trouble)
        facts = {"usable": health is Health.OK, "problem": trouble}
        audit.record("cluster.tested", actor=test.asked_by, target=test.cluster, facts=facts)


def _tested(
    cluster: Cluster, probe: Callable[[ConnectionSettings], ProbeReport]
) -> tuple[object, Health, dict[str, object] | None]:
    """The report as the row keeps it, and what it says of the cluster."""
    report: ProbeReport | None = None
    try:
        connection = settings_of(cluster)
        report = probe(connection)
        if report.cluster_id:
            pin(cluster=cluster, cluster_id=report.cluster_id)
    except ConsoleError as error:
        trouble = problem_of(error)
        found = _report(report, ()) if report else {}
        return found | {"usable": False, "problem": trouble}, Health.UNREACHABLE, trouble
    trouble_found = _trouble(report)
    secrets = (connection.password, connection.key_pem)
    return _report(report, secrets) | {"problem": trouble_found}, _health(report), trouble_found


def nudge_tests() -> None:
    """Send again for tests whose message was lost."""
    for test in queries.tests_left_behind(timezone.now())[:100]:
        ConnectionTest.objects.filter(pk=test.pk).update(nudge_at=_later(settings.NUDGE_AFTER))
        nudge.after_commit(nudge.Nudge.TEST_CLUSTER, test_id=test.pk)


def _later(after: timedelta) -> datetime:
    return timezone.now() + after


def _report(report: ProbeReport, secrets: Iterable[str]) -> dict[str, object]:
    """Names, states and reasons; a client's own words never carry a secret on."""
    detail = report.failure_detail
    for secret in filter(None, secrets):
        detail = detail.replace(secret, "•••")
    found = plain(asdict(report) | {"usable": report.is_usable, "failure_detail": detail})
    return found if isinstance(found, dict) else {}


def _health(report: ProbeReport) -> Health:
    if report.failure:
        return Health.UNREACHABLE
    return Health.DEGRADED if report.missing else Health.OK


def _trouble(report: ProbeReport) -> dict[str, object] | None:
    if report.failure:
        return problem("kafka.unavailable", reason=report.failure)
    if report.missing:
        rights = ", ".join(f"{right.operation} on {right.resource}" for right in report.missing)
        return problem("cluster.rights_missing", rights=rights)
    return None
