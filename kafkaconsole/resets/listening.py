"""What stands below this app and so cannot look itself: `clusters` before it removes one, and people who leave."""

from __future__ import annotations

from typing import Any

from kafkaconsole.accounts import signals as people
from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import signals
from kafkaconsole.clusters.errors import ClusterInUse
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.resets.actions import ending
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import OPEN


def connect() -> None:
    """Called once, when the apps are ready."""
    signals.cluster_removing.connect(_refuse_while_open, dispatch_uid="resets.cluster_removing")
    people.person_changed.connect(_cancel_of_who_left, dispatch_uid="resets.person_left")


def _refuse_while_open(*, cluster: Cluster, **_: Any) -> None:
    count = ResetRequest.objects.filter(cluster=cluster, state__in=OPEN).count()
    if count:
        raise ClusterInUse(cluster=str(cluster), requests=count)


def _cancel_of_who_left(*, person: User, by: User, **_: Any) -> None:
    if not person.is_active:
        ending.cancel_of_who_left(person=person, by=by)
