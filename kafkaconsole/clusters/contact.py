"""What every contact with a cluster tells: its health, and Kafka's own id."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.utils import timezone

from kafkaconsole.clusters.errors import AnotherCluster, ClusterRemoved, RegisteredTwice
from kafkaconsole.clusters.models import Cluster, Health
from kafkaconsole.errors import ConsoleError
from kafkaconsole.problems import problem_of


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
