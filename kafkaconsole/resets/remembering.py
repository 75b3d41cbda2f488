"""What the console's own records tell a plan: the snapshot before an attempt, and the history of the group."""

from __future__ import annotations

from datetime import datetime

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import looking_back
from kafkaconsole.history import queries as history
from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.resets.change import Change
from kafkaconsole.resets.errors import NothingRemembered, SnapshotMissing
from kafkaconsole.resets.facts import Earlier, Recalled
from kafkaconsole.resets.models import Attempt, AttemptResult


def recall(change: Change, cluster_pk: int) -> Recalled:
    """Everything of it that a plan of this change needs. Raises `SnapshotMissing` or `NothingRemembered`."""
    group = ConsumerGroup.objects.filter(cluster=cluster_pk, name=change.group).first()
    return Recalled(earlier=_earlier(change, cluster_pk, group))


def _earlier(change: Change, cluster_pk: int, group: ConsumerGroup | None) -> Earlier | None:
    wish = change.strategy.recalls
    if wish is None:
        return None
    if wish.snapshot is not None:
        return _snapshot(change, cluster_pk, wish.snapshot)
    if wish.as_of is None:
        raise ValueError("what is recalled is a snapshot or a moment")
    if group is None:
        raise NothingRemembered(group=change.group, at=wish.as_of)
    return _as_of(group, wish.as_of)


def _snapshot(change: Change, cluster_pk: int, attempt_id: int) -> Earlier:
    """Only an attempt on this very group: a snapshot is not a way to look at another team's offsets."""
    of_group = Attempt.objects.filter(cluster=cluster_pk, group_name=change.group, snapshot_at__isnull=False)
    attempt = of_group.filter(pk=attempt_id).first()
    if attempt is None or attempt.snapshot_at is None:
        raise SnapshotMissing(attempt=attempt_id, group=change.group)
    rows = list(attempt.results.all())
    return Earlier(
        at=attempt.snapshot_at,
        attempt=attempt.pk,
        offsets={_of(row): _before(row) for row in rows},
        topic_ids={row.topic: row.topic_id for row in rows},
        written={_of(row): None if row.target is None else Offset(row.target) for row in rows},
    )


def _of(row: AttemptResult) -> TopicPartition:
    return TopicPartition(row.topic, row.partition)


def _before(row: AttemptResult) -> Committed | None:
    return None if row.before is None else Committed(Offset(row.before), row.before_metadata, row.before_epoch)


def _as_of(group: ConsumerGroup, instant: datetime) -> Earlier:
    """The history at an instant. A topic that it met and that has no line then is one without a commit then."""
    past = history.at(group, instant)
    read_at = looking_back.last_reading(group, instant)
    if read_at is None or (not past.lines and past.not_known):
        raise NothingRemembered(group=group.name, at=instant)
    told = {line.topic for line in past.lines}  # a topic made again since is told of by its former self
    known = [topic for topic in history.topic_names(group) if topic not in past.not_known or topic in told]
    return Earlier(
        at=instant,
        offsets={
            TopicPartition(line.topic, line.partition): (
                None if line.committed is None else Committed(Offset(line.committed))
            )
            for line in past.lines
        },
        topic_ids=dict.fromkeys(known, "") | {line.topic: line.topic_id for line in past.lines},
        not_known={topic: hole for topic, hole in past.not_known.items() if topic not in told},
        read_at=read_at,
        held_since={line.topic: line.sampled_at for line in past.lines},
    )
