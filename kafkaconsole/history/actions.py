"""What the rest of the console asks of the history, and what beat asks of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.timezone import now

from kafkaconsole.clusters.models import Cluster
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import turns
from kafkaconsole.history.models import Gap, GroupSample, GroupTopic, Sweep, Topic, TopicSample
from kafkaconsole.nudge import Nudge, after_commit

REWIND_EXPECTED = timedelta(minutes=5)
SWEEPS_KEPT = timedelta(days=7)
AT_ONCE = 200  # group & topic rows, or topics, whose old samples are dropped in one statement


def ask_for_sweep(cluster: Cluster, *, reset_group: str | None = None) -> None:
    """Let the cluster be swept as soon as a worker is free. `reset_group` names a group whose reset was just applied:
    its offsets may then go back without a second reading."""
    if reset_group is not None:
        ConsumerGroup.objects.filter(cluster=cluster, name=reset_group).update(
            rewind_expected_until=now() + REWIND_EXPECTED
        )
    turns.make_due(cluster.pk, now())
    after_commit(Nudge.SWEEP, cluster_id=cluster.pk)


def due_clusters() -> list[int]:
    """The clusters whose sweep is due and for which a message is to be sent; late ones are skipped, and that is said."""
    return list(turns.take_due(now()))


def retain(at: datetime | None = None) -> int:
    """Drop samples, gaps and sweep records older than the retention; answers how many samples went.

    The last sample before the limit stays, because what it says still holds after it.
    """
    limit = (at or now()) - settings.HISTORY_RETENTION
    dropped = sum(_drop_group_samples(pks, limit) for pks in _batches(GroupTopic.objects.order_by("pk")))
    dropped += sum(_drop_topic_samples(pks, limit) for pks in _batches(Topic.objects.order_by("pk")))
    Gap.objects.filter(to_at__lt=limit).delete()
    Sweep.objects.filter(started_at__lt=(at or now()) - SWEEPS_KEPT).delete()
    return dropped


def _batches(rows: QuerySet[GroupTopic] | QuerySet[Topic]) -> Iterator[list[int]]:
    pks = list(rows.values_list("pk", flat=True))
    return (pks[at : at + AT_ONCE] for at in range(0, len(pks), AT_ONCE))


def _drop_group_samples(on_topics: list[int], limit: datetime) -> int:
    later = GroupSample.objects.filter(on_topic=OuterRef("on_topic"), at__gt=OuterRef("at"), at__lte=limit)
    old = GroupSample.objects.filter(on_topic__in=on_topics, at__lt=limit).filter(Exists(later))
    return old.delete()[0]


def _drop_topic_samples(topics: list[int], limit: datetime) -> int:
    later = TopicSample.objects.filter(topic=OuterRef("topic"), at__gt=OuterRef("at"), at__lte=limit)
    old = TopicSample.objects.filter(topic__in=topics, at__lt=limit).filter(Exists(later))
    return old.delete()[0]
