"""What the history tells a plan beside offsets at an instant: when it was last read, and what has moved or changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db.models import OuterRef, Subquery

from kafkaconsole.clusters.models import Cluster
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import packing
from kafkaconsole.history.models import GroupSample, Sweep, Topic, TopicSample


def last_reading(group: ConsumerGroup, instant: datetime) -> datetime | None:
    """The last reading of the group's cluster at or before an instant; None when nobody looked before."""
    readings = Sweep.objects.filter(cluster=group.cluster_id, at__isnull=False, at__lte=instant)
    return readings.order_by("-at").values_list("at", flat=True).first()


def first_reading_after(cluster_pk: int, instant: datetime) -> datetime | None:
    """The first reading of the cluster after an instant; None when there was none yet."""
    readings = Sweep.objects.filter(cluster=cluster_pk, at__isnull=False, at__gt=instant)
    return readings.order_by("at").values_list("at", flat=True).first()


def moved_topics(group: ConsumerGroup, since: datetime) -> Mapping[str, datetime]:
    """Topics on which the group's commits changed after `since`, with the last reading that showed it.

    The first reading of a topic is no change: what stood before is not known.
    """
    changes = GroupSample.objects.filter(on_topic__group=group, at__gt=since).select_related("on_topic__topic")
    moved: dict[str, datetime] = {}
    for sample in changes.order_by("at"):
        if sample.at > sample.on_topic.first_measured_at:
            moved[sample.on_topic.topic.name] = sample.at
    return moved


def topics_of(cluster: Cluster | int, names: Collection[str]) -> Mapping[str, list[Topic]]:
    """Every topic that had one of the names, the latest first: a topic made again is another."""
    found: dict[str, list[Topic]] = {}
    for row in Topic.objects.filter(cluster=cluster, name__in=names).order_by("name", "-last_seen_at", "-pk"):
        found.setdefault(row.name, []).append(row)
    return found


def partitions_at(topics: Collection[Topic], instant: datetime) -> Mapping[str, tuple[int, datetime]]:
    """How many partitions each topic had at an instant, or when it was first looked at after; and when that was."""
    found = _samples_at(topics, instant)
    return {one.topic.name: (len(packing.unpack(one.log_ends)), at) for one, at in found}


def log_starts_at(topics: Collection[Topic], instant: datetime) -> Mapping[tuple[str, int], tuple[int, datetime]]:
    """Where logs began at an instant, or when they were first looked at after; and when that was."""
    return {
        (one.topic.name, partition): (start, at)
        for one, at in _samples_at(topics, instant)
        for partition, start in enumerate(packing.unpack(one.log_starts))
        if start is not None
    }


def _samples_at(topics: Collection[Topic], instant: datetime) -> list[tuple[TopicSample, datetime]]:
    """The sample that held at the instant, as of then; of a topic that had none yet, its first one."""
    of_topic = TopicSample.objects.filter(topic=OuterRef("topic"))
    kept = TopicSample.objects.filter(topic__in=topics).select_related("topic")
    held = Subquery(of_topic.filter(at__lte=instant).order_by("-at").values("at")[:1])
    then = {one.topic_id: (one, instant) for one in kept.filter(at=held)}
    first = Subquery(of_topic.order_by("at").values("at")[:1])
    later = [(one, one.at) for one in kept.filter(at=first) if one.topic_id not in then]
    return [*then.values(), *later]
