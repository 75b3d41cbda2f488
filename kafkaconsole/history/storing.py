"""Putting a measurement into rows: samples only where something changed, in bulk, within the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from kafkaconsole.groups import queries as groups
from kafkaconsole.groups.errors import AmbiguousOwner
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.groups.ownership import RuleBook
from kafkaconsole.history.catalogue import Catalogue
from kafkaconsole.history.holes import Holes
from kafkaconsole.history.measuring import GroupReading, Measurement
from kafkaconsole.history.models import GroupSample, GroupTopic, Topic, TopicSample
from kafkaconsole.history.packing import pack
from kafkaconsole.history.positions import Positions
from kafkaconsole.kafka.values import GroupState, Member, Problem, ProblemKind, TopicFacts, TopicPartition

CHUNK = 2000
GROUP_FIELDS = [
    "type", "state", "protocol_type", "team", "members", "topics_count", "partitions_count", "lag", "time_lag_s",
    "state_since", "missing_since",
]  # fmt: skip
TOPIC_FIELDS = ["topic_id", "partitions_count", "log_starts", "log_ends"]
ON_TOPIC_FIELDS = ["committed", "behind_since", "metadata", "lag", "changed_at"]


@dataclass(slots=True)
class Store:
    """One sweep's writes. `measured_until`: the instant of the good reading before this one."""

    catalogue: Catalogue
    found: Measurement
    measured_until: datetime | None
    samples_count: int = 0
    ends_before: dict[int, bytes] = field(default_factory=dict)

    def save(self) -> None:
        """Write everything; the caller holds the transaction and the turn."""
        self._save_topics()
        holes = Holes(self.catalogue, self.found, self.measured_until)
        positions = Positions(self.catalogue, self.found.at, self.ends_before, holes.gap_ends())
        before = {group.pk: _shown(group) for group in self.catalogue.groups.values()}
        self._save_groups_as_listed()
        measured = self._place(positions, holes)
        self._save_positions(positions)
        self._save_groups(positions, measured, before)
        holes.save(measured)

    def _save_topics(self) -> None:
        fresh: list[Topic] = []
        changed: list[Topic] = []
        seen: list[int] = []
        for name, answer in self.found.topics.items():
            held = self.catalogue.topics.get(name)
            topic = self._topic(answer) if isinstance(answer, TopicFacts) else held or self._new_topic(name)
            if topic.pk is None:
                fresh.append(topic)
            else:
                self.ends_before[topic.pk] = bytes(topic.log_ends)
            is_changed = self._take_bounds(topic, answer)
            if topic.pk is not None and is_changed:
                changed.append(topic)
            if topic.pk is not None and isinstance(answer, TopicFacts):
                seen.append(topic.pk)
        Topic.objects.bulk_create(fresh, batch_size=CHUNK)
        Topic.objects.bulk_create(
            changed, batch_size=CHUNK, update_conflicts=True, unique_fields=["id"], update_fields=TOPIC_FIELDS
        )
        for some in _chunks(seen):
            Topic.objects.filter(pk__in=some).update(last_seen_at=self.found.at)
        self.catalogue.topics.update({topic.name: topic for topic in fresh})
        self.catalogue.names.update({topic.pk: topic.name for topic in fresh})
        self._sample_topics([*fresh, *changed])

    def _sample_topics(self, topics: Collection[Topic]) -> None:
        self.samples_count += len(topics)
        TopicSample.objects.bulk_create(
            [
                TopicSample(topic_id=one.pk, at=self.found.at, log_starts=one.log_starts, log_ends=one.log_ends)
                for one in topics
            ],
            batch_size=CHUNK,
        )

    def _topic(self, facts: TopicFacts) -> Topic:
        """The row of this very topic: one made again under its name gets a row of its own."""
        held = self.catalogue.topics.get(facts.topic)
        if held is not None and held.topic_id in ("", facts.topic_id):
            return held
        return self._new_topic(facts.topic, facts.topic_id)

    def _new_topic(self, name: str, topic_id: str = "") -> Topic:
        at = self.found.at
        return Topic(
            cluster_id=self.catalogue.cluster_pk,
            name=name,
            topic_id=topic_id,
            partitions_count=0,
            first_seen_at=at,
            last_seen_at=at,
            log_starts=b"",
            log_ends=b"",
        )

    def _take_bounds(self, topic: Topic, answer: TopicFacts | Problem) -> bool:
        """Put the new bounds into the row (none, when the topic did not answer); True when that changed something."""
        before = (topic.topic_id, topic.partitions_count, bytes(topic.log_starts), bytes(topic.log_ends))
        if isinstance(answer, TopicFacts):
            count = max(answer.has_leader, default=-1) + 1
            bounds = [self.found.bounds.get(TopicPartition(topic.name, partition)) for partition in range(count)]
            topic.log_starts = pack(one.log_start if one else None for one in bounds)
            topic.log_ends = pack(one.log_end if one else None for one in bounds)
            topic.topic_id, topic.partitions_count = answer.topic_id, count
        else:
            topic.log_starts = topic.log_ends = b""
        return before != (topic.topic_id, topic.partitions_count, topic.log_starts, topic.log_ends)

    def _save_groups_as_listed(self) -> None:
        """Type, state, members and owner; new groups get their rows, so that what follows can point to them."""
        book = groups.rule_book(self.catalogue.cluster_pk)
        for name, reading in self.found.groups.items():
            group = self.catalogue.groups.get(name) or self._new_group(name)
            self.catalogue.groups[name] = group
            _describe(group, reading, self.found.at)
            group.team_id = _owner(book, name)
        for name in self.found.gone:
            group = self.catalogue.groups[name]
            _change_state(group, GroupState.MISSING, self.found.at)
            group.members = []
        for name in self.found.doubted:
            group = self.catalogue.groups[name]
            group.missing_since = group.missing_since or self.found.at
        fresh = [group for group in self.catalogue.groups.values() if group.pk is None]
        ConsumerGroup.objects.bulk_create(fresh, batch_size=CHUNK)

    def _new_group(self, name: str) -> ConsumerGroup:
        at = self.found.at
        return ConsumerGroup(cluster_id=self.catalogue.cluster_pk, name=name, first_seen_at=at, last_seen_at=at)

    def _place(self, positions: Positions, holes: Holes) -> set[int]:
        """Work out where every group that was read stands; answers the groups measured."""
        measured: set[int] = set()
        for name, reading in self.found.groups.items():
            group = self.catalogue.groups[name]
            if reading.offsets is None:
                continue
            measured.add(group.pk)
            unread = self._unread_topics(group, reading)
            holes.miss_topics(group, unread)
            positions.take(group, reading, unread)
        for name in self.found.gone:
            group = self.catalogue.groups[name]
            measured.add(group.pk)
            positions.take_nothing(group)
        return measured

    def _unread_topics(self, group: ConsumerGroup, reading: GroupReading) -> set[str]:
        """Topics answered in part, and topics that may be hidden from us rather than without a commit."""
        held = {self.catalogue.names[pk] for pk, row in self.catalogue.on_topics[group.pk].items() if row.committed}
        hidden = {name for name in held - set(reading.offsets or ()) if _may_be_hidden(self.found.topics.get(name))}
        return reading.unread_topics | hidden

    def _save_positions(self, positions: Positions) -> None:
        positions.look_back()
        GroupTopic.objects.bulk_create(positions.fresh, batch_size=CHUNK)
        GroupTopic.objects.bulk_create(
            positions.changed,
            batch_size=CHUNK,
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=ON_TOPIC_FIELDS,
        )
        sampled = [*positions.fresh, *positions.moved]
        self.samples_count += len(sampled)
        GroupSample.objects.bulk_create(
            [GroupSample(on_topic_id=row.pk, at=self.found.at, committed=row.committed) for row in sampled],
            batch_size=CHUNK,
        )

    def _save_groups(self, positions: Positions, measured: set[int], before: dict[int, tuple[object, ...]]) -> None:
        for group in self.catalogue.groups.values():
            if group.pk in measured:
                positions.sum_up(group)
        changed = [group for group in self.catalogue.groups.values() if before.get(group.pk) != _shown(group)]
        ConsumerGroup.objects.bulk_create(
            changed,
            batch_size=CHUNK,
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=GROUP_FIELDS,
        )
        for some in _chunks(sorted(measured)):
            ConsumerGroup.objects.filter(pk__in=some).update(measured_at=self.found.at)
        seen = [self.catalogue.groups[name].pk for name in self.found.groups]
        for some in _chunks(seen):
            ConsumerGroup.objects.filter(pk__in=some).update(last_seen_at=self.found.at)


def _shown(group: ConsumerGroup) -> tuple[object, ...]:
    return tuple(getattr(group, name if name != "team" else "team_id") for name in GROUP_FIELDS)


def _describe(group: ConsumerGroup, reading: GroupReading, at: datetime) -> None:
    listed = reading.listed
    group.type, group.protocol_type = listed.type, listed.protocol_type.replace("\0", "\ufffd")[:60]
    group.missing_since = None
    description = reading.description
    if description is None or description.state == GroupState.MISSING:
        _change_state(group, listed.state, at)
        if listed.state == GroupState.EMPTY:
            group.members = []
        return
    _change_state(group, description.state, at)
    group.members = [_member(one) for one in description.members]


def _change_state(group: ConsumerGroup, state: GroupState, at: datetime) -> None:
    if group.state != state:
        group.state_since = at if group.state else None  # of a group seen for the first time, nobody knows since when
        group.state = state


def _member(member: Member) -> dict[str, object]:
    return {
        "member_id": member.member_id.replace("\0", "\ufffd"),
        "client_id": member.client_id.replace("\0", "\ufffd"),
        "host": member.host.replace("\0", "\ufffd"),
        "instance_id": member.instance_id.replace("\0", "\ufffd") if member.instance_id is not None else None,
        "partitions": sorted([of.topic, of.partition] for of in member.partitions),
    }


def _owner(book: RuleBook, name: str) -> int | None:
    try:
        rule = book.owner_of(name)
    except AmbiguousOwner:
        return None  # a tie belongs to nobody until it is resolved
    return rule.team_id if rule else None


def _may_be_hidden(answer: TopicFacts | Problem | None) -> bool:
    """Kafka leaves topics without the right out of its answer, without an error (kafka-facts section 4)."""
    return answer is None or (isinstance(answer, Problem) and answer.kind != ProblemKind.NOT_FOUND)


def _chunks(pks: list[int]) -> Iterable[list[int]]:
    return (pks[at : at + CHUNK] for at in range(0, len(pks), CHUNK))
