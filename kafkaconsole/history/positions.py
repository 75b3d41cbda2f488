"""Where groups stand after a reading: which rows change, their lag, and since when they are behind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from kafkaconsole.any_text import escape
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history.catalogue import Catalogue
from kafkaconsole.history.lags import totals
from kafkaconsole.history.measuring import GroupReading
from kafkaconsole.history.models import GroupTopic, Topic, TopicSample
from kafkaconsole.history.packing import ABSENT, numbers, pack_by_partition
from kafkaconsole.history.standings import ms_of
from kafkaconsole.kafka.values import Committed

LOOK_BACK = timedelta(days=1)  # so far back our samples are asked when a log end passed an offset


class Positions:
    """Collects the rows of group & topic that a sweep adds (`fresh`) and changes (`changed`); `moved` are those of the
    changed whose offsets are others than before, so that a sample is due."""

    def __init__(
        self, catalogue: Catalogue, at: datetime, ends_before: Mapping[int, bytes], gap_ends: Collection[datetime]
    ) -> None:
        self.fresh: list[GroupTopic] = []
        self.changed: list[GroupTopic] = []
        self.moved: list[GroupTopic] = []
        self._catalogue = catalogue
        self._at, self._at_ms = at, ms_of(at)
        self._ends_before = ends_before
        self._gap_ends = gap_ends
        self._topics = {topic.pk: topic for topic in catalogue.topics.values()}
        self._bounds: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self._since: dict[tuple[int, int], dict[int, int]] = {}
        self._sought: dict[int, list[tuple[GroupTopic, int, int]]] = defaultdict(list)
        self._unread: set[int] = set()

    def take(self, group: ConsumerGroup, reading: GroupReading, unread: set[str]) -> None:
        """A group that was read, but for the topics in `unread`."""
        if unread:
            self._unread.add(group.pk)
        description = reading.description
        assigned = {of.topic for member in description.members for of in member.partitions} if description else set()
        current: set[int] = set()
        for name in (set(reading.offsets or ()) | assigned) - unread:
            topic = self._catalogue.topics[name]
            current.add(topic.pk)
            self._put(group, topic, reading.packed(name), _stored_beside((reading.offsets or {}).get(name, {})))
        for topic_pk, row in self._catalogue.on_topics[group.pk].items():
            if row.committed and topic_pk not in current and self._catalogue.names[topic_pk] not in unread:
                self._empty(row)

    def take_nothing(self, group: ConsumerGroup) -> None:
        """A group proven missing: it has no commit on anything."""
        for row in self._catalogue.on_topics[group.pk].values():
            if row.committed:
                self._empty(row)

    def look_back(self) -> None:
        """Find in our samples when log ends passed the offsets that only they can tell; then fix what the rows hold."""
        for topic_pk, sought in self._sought.items():
            found = self._passed(topic_pk, {(partition, offset) for _, partition, offset in sought})
            for row, partition, offset in sought:
                instant = found.get((partition, offset))
                if instant is not None:
                    self._since[row.group_id, row.topic_id][partition] = ms_of(instant)
        for row in (*self.fresh, *self.changed):
            row.behind_since = pack_by_partition(self._since.get((row.group_id, row.topic_id), {}))

    def sum_up(self, group: ConsumerGroup) -> None:
        """Counts, lag and time lag of the group over all its topics; None where any part is not known."""
        rows = [row for row in self._catalogue.on_topics[group.pk].values() if row.committed]
        lags = [row.lag for row in rows if row.lag is not None]
        whole = bool(rows) and len(lags) == len(rows) and group.pk not in self._unread
        group.topics_count = len(rows)
        group.partitions_count = sum(1 for row in rows for one in numbers(row.committed) if one != ABSENT)
        group.lag = sum(lags) if whole else None
        group.time_lag_s = self._time_lag_s(rows) if whole else None

    def _put(self, group: ConsumerGroup, topic: Topic, packed: bytes, beside: dict[str, list[object]]) -> None:
        row = self._catalogue.on_topics[group.pk].get(topic.pk)
        if row is None:
            row = GroupTopic(group=group, topic=topic, first_measured_at=self._at, changed_at=self._at)
            self._catalogue.on_topics[group.pk][topic.pk] = row
            self._fill(row, topic, packed, beside)
            self.fresh.append(row)
            return
        is_moved = bytes(row.committed) != packed
        same_ends = self._ends_before.get(topic.pk) == bytes(topic.log_ends)
        if not is_moved and same_ends and row.metadata == beside:
            return
        before = (row.lag, bytes(row.committed), row.metadata, bytes(row.behind_since))
        self._fill(row, topic, packed, beside)
        since = pack_by_partition(self._since[row.group_id, row.topic_id])
        if is_moved:
            self.moved.append(row)
        if is_moved or topic.pk in self._sought or before != (row.lag, packed, beside, since):
            self.changed.append(row)

    def _fill(self, row: GroupTopic, topic: Topic, packed: bytes, beside: dict[str, list[object]]) -> None:
        starts, ends = self._bounds_of(topic)
        offsets = numbers(packed)
        found = totals(offsets, starts, ends)
        self._since[row.group_id, row.topic_id] = self._behind(row, offsets, ends)
        row.committed, row.metadata, row.changed_at = packed, beside, self._at
        row.lag = found.lag if found.partitions else None

    def _empty(self, row: GroupTopic) -> None:
        row.committed, row.metadata, row.lag, row.changed_at = b"", {}, None, self._at
        self.changed.append(row)
        self.moved.append(row)

    def _behind(self, row: GroupTopic, offsets: Sequence[int], ends: Sequence[int]) -> dict[int, int]:
        """Since when each partition is behind, in milliseconds; what only the samples can tell is put on the list."""
        before, since = numbers(row.committed), numbers(row.behind_since)
        ends_before = numbers(self._ends_before.get(row.topic_id, b""))
        found: dict[int, int] = {}
        for partition, offset in enumerate(offsets):
            end = _at(ends, partition)
            stood_still = _at(before, partition) == offset
            end_before = _at(ends_before, partition)
            if offset == ABSENT or (end != ABSENT and end <= offset):
                continue
            if stood_still and _at(since, partition) != ABSENT:
                found[partition] = since[partition]
            elif end != ABSENT and end_before != ABSENT and end_before <= offset:
                if self._at not in self._gap_ends:
                    found[partition] = self._at_ms
            elif end != ABSENT and not stood_still:
                self._sought[row.topic_id].append((row, partition, offset))
        return found

    def _passed(self, topic_pk: int, sought: set[tuple[int, int]]) -> dict[tuple[int, int], datetime]:
        """For (partition, offset): the first reading that showed the log end beyond it, read from the newest backwards."""
        seen: dict[tuple[int, int], datetime] = {}
        found: dict[tuple[int, int], datetime] = {}
        samples = TopicSample.objects.filter(topic=topic_pk, at__gte=self._at - LOOK_BACK).order_by("-at")
        for at, blob in samples.values_list("at", "log_ends").iterator(chunk_size=200):
            ends = numbers(blob)
            for key in list(sought):
                end = _at(ends, key[0])
                if end != ABSENT and end > key[1]:
                    seen[key] = at
                elif end != ABSENT:
                    sought.discard(key)
                    if key in seen and seen[key] not in self._gap_ends:
                        found[key] = seen[key]
            if not sought:
                break
        return found

    def _time_lag_s(self, rows: list[GroupTopic]) -> float | None:
        oldest = self._at_ms
        for row in rows:
            if row.lag == 0:
                continue
            since, ends = numbers(row.behind_since), self._bounds_of(self._topics[row.topic_id])[1]
            for partition, offset in enumerate(numbers(row.committed)):
                if offset == ABSENT or _at(ends, partition) <= offset:
                    continue
                if _at(since, partition) == ABSENT:
                    return None
                oldest = min(oldest, since[partition])
        return (self._at_ms - oldest) / 1000

    def _bounds_of(self, topic: Topic) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if topic.pk not in self._bounds:
            self._bounds[topic.pk] = numbers(topic.log_starts), numbers(topic.log_ends)
        return self._bounds[topic.pk]


def _at(offsets: Sequence[int], partition: int) -> int:
    return offsets[partition] if partition < len(offsets) else ABSENT


def _stored_beside(held: Mapping[int, Committed]) -> dict[str, list[object]]:
    """What committers stored beside their offsets, as the row keeps it."""
    return {
        str(partition): [escape(one.metadata), one.leader_epoch]
        for partition, one in sorted(held.items())
        if one.metadata or one.leader_epoch is not None
    }
