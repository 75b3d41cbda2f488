"""What the history tells a plan beside offsets at an instant: when it was last read, and what has moved or changed."""

from __future__ import annotations

from datetime import datetime

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history.models import Sweep


def last_reading(group: ConsumerGroup, instant: datetime) -> datetime | None:
    """The last reading of the group's cluster at or before an instant; None when nobody looked before."""
    readings = Sweep.objects.filter(cluster=group.cluster_id, at__isnull=False, at__lte=instant)
    return readings.order_by("-at").values_list("at", flat=True).first()
