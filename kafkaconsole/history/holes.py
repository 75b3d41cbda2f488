"""Gaps: what was not measured, from the last good reading to the next. Written within the caller's transaction."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history.catalogue import Catalogue
from kafkaconsole.history.measuring import Measurement
from kafkaconsole.history.models import Gap
from kafkaconsole.history.positions import LOOK_BACK
from kafkaconsole.kafka.values import GroupState

CHUNK = 2000


def gap_after() -> timedelta:
    """So long after a good reading nothing holds any more: sweeps were not running."""
    return settings.SWEEP_INTERVAL * 3


def open_for_cluster(cluster_pk: int, since: datetime | None) -> None:
    """Nothing of the cluster could be measured; before its first good reading there is nothing to interrupt."""
    if since is not None and not _of_cluster(cluster_pk, to_at__isnull=True):
        Gap.objects.create(cluster_id=cluster_pk, from_at=since)


def _of_cluster(cluster_pk: int, **conditions: object) -> bool:
    return Gap.objects.filter(cluster_id=cluster_pk, group__isnull=True, **conditions).exists()


class Holes:
    """What one sweep opens and closes. `measured_until` is the instant of the good reading before it."""

    def __init__(self, catalogue: Catalogue, found: Measurement, measured_until: datetime | None) -> None:
        self._catalogue = catalogue
        self._at = found.at
        self._measured_until = measured_until
        self._missed: dict[tuple[int, int], ConsumerGroup] = {}

    def gap_ends(self) -> frozenset[datetime]:
        """Where gaps of the whole cluster ended lately, this sweep included: nobody knows when in a gap a log grew."""
        ended = Gap.objects.filter(
            cluster_id=self._catalogue.cluster_pk, group__isnull=True, to_at__gte=self._at - LOOK_BACK
        ).values_list("to_at", flat=True)
        here = {self._at} if self._ends_a_gap() else set()
        return frozenset({end for end in ended if end is not None} | here)

    def miss_topics(self, group: ConsumerGroup, topics: set[str]) -> None:
        """The group's offsets on these topics were not read, although the group was."""
        for name in topics:
            for topic_pk in self._catalogue.on_topics[group.pk]:
                if self._catalogue.names[topic_pk] == name:
                    self._missed[group.pk, topic_pk] = group

    def save(self, measured: set[int]) -> None:
        """Close what was measured again, open what was not."""
        self._save_of_cluster()
        still = {(group_pk, topic_pk) for group_pk, topic_pk in self._missed}
        closed = [
            gap.pk
            for (group_pk, topic_pk), gap in self._catalogue.open_gaps.items()
            if group_pk in measured and (topic_pk is None or (group_pk, topic_pk) not in still)
        ]
        for at in range(0, len(closed), CHUNK):
            Gap.objects.filter(pk__in=closed[at : at + CHUNK]).update(to_at=self._at)
        wanted = [
            (group, None)
            for group in self._catalogue.groups.values()
            if group.pk not in measured and group.state != GroupState.MISSING
        ]
        Gap.objects.bulk_create(
            [
                Gap(cluster_id=group.cluster_id, group=group, topic_id=topic_pk, from_at=group.measured_at)
                for group, topic_pk in [*wanted, *((group, key[1]) for key, group in self._missed.items())]
                if group.measured_at is not None and (group.pk, topic_pk) not in self._catalogue.open_gaps
            ],
            batch_size=CHUNK,
        )

    def _ends_a_gap(self) -> bool:
        if self._measured_until is None:
            return False
        return (None, None) in self._catalogue.open_gaps or self._at - self._measured_until > gap_after()

    def _save_of_cluster(self) -> None:
        held = self._catalogue.open_gaps.get((None, None))
        if held is not None:
            Gap.objects.filter(pk=held.pk).update(to_at=self._at)
        elif self._ends_a_gap() and self._measured_until is not None:
            Gap.objects.create(cluster_id=self._catalogue.cluster_pk, from_at=self._measured_until, to_at=self._at)
