"""Connections to registered clusters, for workers alone: importing this module imports both Kafka clients."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kafkaconsole.clusters.contact import pin
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.reaching import settings_of
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.port import OffsetAdmin, RecordReader
from kafkaconsole.kafka.records import open_reader

__all__ = ["offset_admin", "record_reader", "settings_of"]


@contextmanager
def offset_admin(cluster_pk: int) -> Iterator[OffsetAdmin]:
    """A `port.Connect`. Raises AnotherCluster when the address answers with another id than the pinned one."""
    cluster = Cluster.objects.get(pk=cluster_pk)
    with open_admin(settings_of(cluster)) as admin:
        pin(cluster=cluster, cluster_id=admin.describe_cluster().cluster_id)
        yield admin


@contextmanager
def record_reader(cluster_pk: int) -> Iterator[RecordReader]:
    """A `port.ConnectRecords`."""
    cluster = Cluster.objects.get(pk=cluster_pk)
    with open_reader(settings_of(cluster)) as reader:
        yield reader
