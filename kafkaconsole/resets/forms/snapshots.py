"""What a group can be put back to: the snapshots that were taken before each attempt on it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from kafkaconsole.clusters.models import Cluster
from kafkaconsole.display import instants as shown
from kafkaconsole.resets.models import Attempt

OFFERED = 50


def snapshot_choices(cluster: Cluster | None, group_name: str) -> list[tuple[str, str]]:
    """The newest attempts on the group that saved a snapshot, the latest first: id and words."""
    if cluster is None or not group_name:
        return []
    found = Attempt.objects.filter(cluster=cluster, group_name=group_name, snapshot_at__isnull=False)
    return [(str(one.pk), _words(one)) for one in found.order_by("-snapshot_at")[:OFFERED]]


def _words(attempt: Attempt) -> str:
    told = {"request": attempt.request_id, "number": attempt.number}
    when = shown.full(attempt.snapshot_at) if attempt.snapshot_at else ""
    return _("before request %(request)s, attempt %(number)s") % told + f" ({when})"
