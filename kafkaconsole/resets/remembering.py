"""What the console's own records tell a plan: the snapshot before an attempt, and the history of the group."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.utils import timezone

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import looking_back
from kafkaconsole.history import queries as history
from kafkaconsole.kafka.values import Committed, GroupState, Offset, TimedOffset, TopicPartition
from kafkaconsole.resets.change import Change
from kafkaconsole.resets.errors import NothingRemembered, SnapshotMissing
from kafkaconsole.resets.facts import Earlier, Recalled, Seen
from kafkaconsole.resets.models import Attempt, AttemptResult

MOVED_SINCE = timedelta(minutes=15)
CHANGES_SINCE = timedelta(days=7)
LOG_STARTS_SINCE = timedelta(days=1)


def recall(change: Change, cluster_pk: int) -> Recalled:
    """Everything of it that a plan of this change needs. Raises `SnapshotMissing` or `NothingRemembered`."""
    group = ConsumerGroup.objects.filter(cluster=cluster_pk, name=change.group).first()
    return Recalled(earlier=_earlier(change, cluster_pk, group), seen=_seen(change, cluster_pk, group))


def _seen(change: Change, cluster_pk: int, group: ConsumerGroup | None) -> Seen:
    """What the history has seen lately of the group, and of the topics that the plan may be about."""
    now = timezone.now()
    names = {one.topic for one in change.scope.topics} if change.scope else set()
    names |= {of.topic for of in change.strategy.named() or ()}
    names |= set(history.topic_names(group)) if group else set()
    rows = looking_back.topics_of(cluster_pk, names)
    latest = [some[0] for some in rows.values()]
    made_again = {name: some[0].first_seen_at for name, some in rows.items() if len(some) > 1}
    starts = looking_back.log_starts_at(latest, now - LOG_STARTS_SINCE)
    empty_since = _empty_since(group)
    return Seen(
        empty_since=empty_since,
        moved_while_empty={} if group is None or empty_since is None else _moved(group, empty_since, now),
        topic_ids={topic.name: topic.topic_id for topic in latest if topic.topic_id},
        made_again={name: since for name, since in made_again.items() if since > now - CHANGES_SINCE},
        partitions_before=looking_back.partitions_at(latest, now - CHANGES_SINCE),
        log_starts={TopicPartition(*of): TimedOffset(Offset(start), at) for of, (start, at) in starts.items()},
    )


def _empty_since(group: ConsumerGroup | None) -> datetime | None:
    """At least since then; of a group that was Empty when first seen, nobody knows since when before."""
    if group is None or group.state != GroupState.EMPTY:
        return None
    return group.state_since or group.first_seen_at


def _moved(group: ConsumerGroup, empty_since: datetime, now: datetime) -> Mapping[str, datetime]:
    """Topics on which commits moved lately by nobody's reset: the reading that shows our own write does not count."""
    since = max(empty_since, now - MOVED_SINCE)
    ours = Attempt.objects.filter(cluster=group.cluster_id, group_name=group.name, write_began_at__gt=since)
    for attempt in ours:
        ended = attempt.ended_at or now
        since = max(since, looking_back.first_reading_after(group.cluster_id, ended) or now)
    return looking_back.moved_topics(group, since)


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
