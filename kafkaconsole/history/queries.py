"""Reads of the history. Who may see a group is decided where the group was looked up (`groups.queries.group_for`)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.timezone import now

from kafkaconsole.clusters.models import Cluster
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import packing, standings
from kafkaconsole.history import series as lines
from kafkaconsole.history.errors import BadRange
from kafkaconsole.history.lags import lag_of
from kafkaconsole.history.models import Gap, GroupSample, GroupTopic, Sweep, TopicSample
from kafkaconsole.history.series import Interval, Series
from kafkaconsole.history.standings import Past, PastLine, Reading, Standing, StandingLine
from kafkaconsole.history.tracks import Bounds, Track
from kafkaconsole.words import words

MILLISECOND = timedelta(milliseconds=1)
LOOK_BACK = timedelta(days=1)  # how much further back log ends are read, to tell the time lag at the range's start


def standing(group: ConsumerGroup) -> Standing:
    """Where the group stands on every topic that it has a commit on or is assigned: two queries."""
    members = {
        (topic, partition): member["member_id"] for member in group.members for topic, partition in member["partitions"]
    }
    assigned = {topic for topic, _ in members}
    found: list[StandingLine] = []
    for reading in readings(group):
        if reading.committed or reading.topic in assigned:
            found += standings.lines_of(reading, members)
    return standings.sum_up(found)


def readings(group: ConsumerGroup) -> Iterator[Reading]:
    """The same, packed: a row for each topic by its name and age, for whom ten thousand lines are too many. Two queries."""
    held_since = _open_gaps(group)
    for row in _on_topics(group, None):
        measured_at = held_since.get(row.topic_id) or held_since.get(None) or group.measured_at
        if measured_at:
            yield _reading(row, measured_at)


def topic_names(group: ConsumerGroup) -> list[str]:
    """Every topic that the group's history tells of, in order of name."""
    return list(
        GroupTopic.objects.filter(group=group).order_by("topic__name").values_list("topic__name", flat=True).distinct()
    )


def series(
    group: ConsumerGroup,
    *,
    topic: str | None = None,
    partition: int | None = None,
    start: datetime,
    end: datetime,
    max_points: int,
) -> Series:
    """One line of the group's chart: a partition, a topic, or (without a topic) the sum over all topics.

    Four queries. A topic or partition that the group never had gives a series without points. Raises BadRange.
    """
    _check_range(topic, partition, start, end, max_points)
    rows = list(_on_topics(group, topic))
    tracks = _tracks(rows, start, end)
    return lines.build(
        tracks,
        topic=topic,
        partition=partition,
        start=start,
        end=end,
        measured_until=group.measured_at or start,
        gaps=_gaps(group, [row.topic_id for row in rows], start - LOOK_BACK, end),
        max_points=max_points,
    )


def at(group: ConsumerGroup, instant: datetime) -> Past:
    """What the group had committed at an instant, and which topics nobody can tell: four queries."""
    rows = list(_on_topics(group, None))
    gaps = list(_overlapping(group, [row.topic_id for row in rows], instant, instant))
    samples = {one.on_topic_id: one for one in _newest_samples(rows, instant)}
    bounds = {one.topic_id: one for one in _newest_bounds(rows, instant)}
    found: list[PastLine] = []
    not_known: dict[str, tuple[datetime | None, datetime | None]] = {}
    for row in rows:
        sample = samples.get(row.pk)
        hole = _hole(row, gaps, instant, group.measured_at)
        if hole is not None:
            not_known[row.topic.name] = hole
        elif sample is not None and sample.committed:
            found += _past_lines(row, sample, bounds.get(row.topic_id))
    return Past(instant, tuple(found), not_known)


def sweeps_of(cluster: Cluster) -> QuerySet[Sweep]:
    """The cluster's sweeps, the newest first."""
    return Sweep.objects.filter(cluster=cluster)


def latest_sweep(cluster: Cluster) -> Sweep | None:
    """The newest sweep that has ended."""
    return sweeps_of(cluster).filter(ended_at__isnull=False).first()


def _reading(row: GroupTopic, measured_at: datetime) -> Reading:
    return Reading(
        topic=row.topic.name,
        topic_id=row.topic.topic_id,
        partitions_count=row.topic.partitions_count,
        committed=bytes(row.committed),
        behind_since=bytes(row.behind_since),
        metadata={partition: (stored[0], stored[1]) for partition, stored in row.metadata.items()},
        log_starts=bytes(row.topic.log_starts),
        log_ends=bytes(row.topic.log_ends),
        measured_at=measured_at,
    )


def _check_range(topic: str | None, partition: int | None, start: datetime, end: datetime, max_points: int) -> None:
    if start >= end:
        raise BadRange(
            field="from", found=start.isoformat(), expected=words("an instant before {end}", end=end.isoformat())
        )
    if max_points < lines.PER_BUCKET:
        raise BadRange(field="max_points", found=max_points, expected=words("at least {least}", least=lines.PER_BUCKET))
    if partition is not None and topic is None:
        raise BadRange(field="topic", found=words("nothing"), expected=words("the topic whose partition is meant"))


def _on_topics(group: ConsumerGroup, topic: str | None) -> QuerySet[GroupTopic]:
    rows = GroupTopic.objects.filter(group=group).select_related("topic").order_by("topic__name", "topic_id")
    return rows if topic is None else rows.filter(topic__name=topic)


def _open_gaps(group: ConsumerGroup) -> dict[int | None, datetime]:
    """Since when the group (None) or its offsets on a topic have not been measured, where they were before."""
    found = Gap.objects.filter(Q(group=group) | Q(group__isnull=True), cluster=group.cluster_id, to_at__isnull=True)
    since: dict[int | None, datetime] = {}
    for topic_id, from_at in found.values_list("topic_id", "from_at"):
        since[topic_id] = min(from_at, since.get(topic_id, from_at))
    return since


def _tracks(rows: list[GroupTopic], start: datetime, end: datetime) -> list[Track]:
    """The samples of the range, each with the one before it."""
    first = Subquery(
        GroupSample.objects.filter(on_topic=OuterRef("on_topic"), at__lte=start).order_by("-at").values("at")[:1]
    )
    samples = (
        GroupSample.objects.filter(on_topic__in=[row.pk for row in rows], at__lte=end)
        .filter(Q(at__gte=start) | Q(at=first))
        .order_by("on_topic", "at")
        .values_list("on_topic_id", "at", "committed")
    )
    of_group = {
        pk: [(instant, bytes(blob)) for _, instant, blob in found]
        for pk, found in groupby(samples.iterator(chunk_size=5000), key=lambda one: one[0])
    }
    of_topics = _bounds([row.topic_id for row in rows], start - LOOK_BACK, end)
    return [Track(row.topic.name, of_group.get(row.pk, []), of_topics.get(row.topic_id, [])) for row in rows]


def _bounds(topic_pks: list[int], start: datetime, end: datetime) -> dict[int, list[Bounds]]:
    first = Subquery(
        TopicSample.objects.filter(topic=OuterRef("topic"), at__lte=start).order_by("-at").values("at")[:1]
    )
    samples = (
        TopicSample.objects.filter(topic__in=topic_pks, at__lte=end)
        .filter(Q(at__gte=start) | Q(at=first))
        .order_by("topic", "at")
        .values_list("topic_id", "at", "log_starts", "log_ends")
    )
    return {
        pk: [Bounds(instant, bytes(starts), bytes(ends)) for _, instant, starts, ends in found]
        for pk, found in groupby(samples.iterator(chunk_size=5000), key=lambda one: one[0])
    }


def _overlapping(group: ConsumerGroup, topic_pks: list[int], start: datetime, end: datetime) -> QuerySet[Gap]:
    return Gap.objects.filter(
        Q(group__isnull=True) | Q(group=group, topic__isnull=True) | Q(group=group, topic__in=topic_pks),
        Q(to_at__isnull=True) | Q(to_at__gte=start),
        cluster=group.cluster_id,
        from_at__lte=end,
    )


def _gaps(group: ConsumerGroup, topic_pks: list[int], start: datetime, end: datetime) -> list[Interval]:
    open_until = max(end, now())
    return [(gap.from_at, gap.to_at or open_until) for gap in _overlapping(group, topic_pks, start, end)]


def _newest_samples(rows: list[GroupTopic], instant: datetime) -> QuerySet[GroupSample]:
    newest = Subquery(
        GroupSample.objects.filter(on_topic=OuterRef("on_topic"), at__lte=instant).order_by("-at").values("at")[:1]
    )
    return GroupSample.objects.filter(on_topic__in=[row.pk for row in rows], at=newest)


def _newest_bounds(rows: list[GroupTopic], instant: datetime) -> QuerySet[TopicSample]:
    newest = Subquery(
        TopicSample.objects.filter(topic=OuterRef("topic"), at__lte=instant).order_by("-at").values("at")[:1]
    )
    return TopicSample.objects.filter(topic__in=[row.topic_id for row in rows], at=newest)


def _hole(
    row: GroupTopic, gaps: list[Gap], instant: datetime, measured_until: datetime | None
) -> tuple[datetime | None, datetime | None] | None:
    """The stretch around the instant in which this topic was not measured, None when it was."""
    if instant < row.first_measured_at:
        return None, row.first_measured_at
    for gap in gaps:
        concerns = gap.topic_id is None or gap.topic_id == row.topic_id
        if concerns and gap.from_at < instant and (gap.to_at is None or instant < gap.to_at):
            return gap.from_at, gap.to_at
    if measured_until is None or instant >= measured_until + MILLISECOND:  # people name whole milliseconds
        return measured_until, None
    return None


def _past_lines(row: GroupTopic, sample: GroupSample, bounds: TopicSample | None) -> list[PastLine]:
    committed = packing.unpack(sample.committed)
    starts = packing.unpack(bounds.log_starts) if bounds else []
    ends = packing.unpack(bounds.log_ends) if bounds else []
    return [
        PastLine(
            topic=row.topic.name,
            topic_id=row.topic.topic_id,
            partition=partition,
            committed=packing.at(committed, partition),
            log_start=packing.at(starts, partition),
            log_end=packing.at(ends, partition),
            lag=lag_of(packing.at(committed, partition), packing.at(ends, partition)),
            sampled_at=sample.at,
        )
        for partition in range(max(len(committed), len(ends)))
    ]
