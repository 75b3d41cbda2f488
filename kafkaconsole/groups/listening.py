"""What `clusters` tells: it stands below this app and so cannot call it."""

from __future__ import annotations

from typing import Any

from kafkaconsole.clusters import signals
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.groups import actions


def connect() -> None:
    """Called once, when the apps are ready."""
    signals.cluster_moved.connect(_reassign, dispatch_uid="groups.cluster_moved")


def _reassign(*, cluster: Cluster, **_: Any) -> None:
    """Other rules count in another environment."""
    actions.reassign(cluster)
