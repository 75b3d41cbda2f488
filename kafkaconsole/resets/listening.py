"""What `clusters` asks before it removes one: it stands below this app and so cannot look itself."""

from __future__ import annotations

from typing import Any

from kafkaconsole.clusters import signals
from kafkaconsole.clusters.errors import ClusterInUse
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import OPEN


def connect() -> None:
    """Called once, when the apps are ready."""
    signals.cluster_removing.connect(_refuse_while_open, dispatch_uid="resets.cluster_removing")


def _refuse_while_open(*, cluster: Cluster, **_: Any) -> None:
    count = ResetRequest.objects.filter(cluster=cluster, state__in=OPEN).count()
    if count:
        raise ClusterInUse(cluster=str(cluster), requests=count)
