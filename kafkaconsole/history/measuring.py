"""One reading of a whole cluster through the port: no database, no writes.

The order makes it true (kafka-facts section 5): commits first, log ends after, so that a lag is never negative; offsets
that went back are read a second time, since a coordinator that just moved may answer old ones for a second; a group
missing from a listing is asked for by name, and counts as missing only when its coordinator says so twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from kafkaconsole.history.packing import ABSENT, numbers, pack_by_partition
from kafkaconsole.kafka.port import OffsetReader
from kafkaconsole.kafka.values import (
    LONGEST_GROUP_NAME,
    Committed,
    GroupDescription,
    GroupId,
    GroupState,
    GroupType,
    ListedGroup,
    OffsetBounds,
    Problem,
    ProblemKind,
    TopicFacts,
    TopicPartition,
)

SECOND_READING_AFTER = timedelta(seconds=1.1)
MISSING_TWICE_AFTER = timedelta(seconds=2)
WITHOUT_OFFSETS = frozenset({GroupType.SHARE, GroupType.CONNECT})
UNSTORABLE = Problem(
    ProblemKind.UNSUPPORTED, "", detail=f"the name holds NUL or more than {LONGEST_GROUP_NAME} characters"
)

Clock = Callable[[], datetime]
Wait = Callable[[timedelta], None]


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """One thing that a sweep could not read. `what` is broker, group, members, offsets, topic, partition or unseen."""

    what: str
    name: str
    problem: Problem


@dataclass(frozen=True, slots=True)
class KnownGroup:
    """What earlier sweeps know of a group: packed offsets by topic where it has any, every topic of its history, and
    whether a reset was applied just now."""

    state: str
    missing_since: datetime | None
    rewind_expected: bool
    committed: Mapping[str, bytes]
    topics: frozenset[str]


@dataclass(slots=True)
class GroupReading:
    """One group as read: `offsets` by topic (None: not measured at all), `unread_topics` those answered in part."""

    listed: ListedGroup
    description: GroupDescription | None = None
    offsets: dict[str, dict[int, Committed]] | None = None
    unread_topics: set[str] = field(default_factory=set)

    def packed(self, topic: str) -> bytes:
        """The group's offsets on a topic, as they are stored."""
        held = (self.offsets or {}).get(topic, {})
        return pack_by_partition({partition: one.offset for partition, one in held.items()})


@dataclass(slots=True)
class Measurement:
    """All of one sweep. `at` is its instant: committed offsets were read before it, log ends after it."""

    at: datetime
    groups: dict[str, GroupReading] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    doubted: set[str] = field(default_factory=set)
    topics: dict[str, TopicFacts | Problem] = field(default_factory=dict)
    bounds: dict[TopicPartition, OffsetBounds] = field(default_factory=dict)
    not_measured: list[NotMeasured] = field(default_factory=list)
    clock_behind_s: float | None = None

    def miss(self, what: str, name: str, problem: Problem) -> None:
        """Record one thing that could not be read."""
        self.not_measured.append(NotMeasured(what, name, problem))


def measure(admin: OffsetReader, known: Mapping[str, KnownGroup], clock: Clock, wait: Wait) -> Measurement:
    """Read everything once. Raises the port's errors when the cluster as a whole does not answer."""
    found = Measurement(at=clock())
    _list(admin, found)
    _describe(admin, found, known)
    wanted = [GroupId(name) for name, one in found.groups.items() if one.listed.type not in WITHOUT_OFFSETS]
    for name in found.groups.keys() - set(wanted):
        found.groups[name].offsets = {}
    _read_commits(admin, found, wanted)
    found.at = clock()
    doubtful = [name for name in wanted if _went_back(found.groups[name], known.get(name))]
    if doubtful:
        wait(SECOND_READING_AFTER)
        _read_commits(admin, found, doubtful)
        found.at = clock()
    _read_topics(admin, found, known)
    return found


def _list(admin: OffsetReader, found: Measurement) -> None:
    listing = admin.list_groups()
    for broker, problem in listing.problems.items():
        found.miss("broker", broker, problem)
    for one in listing.groups:
        if "\0" in one.group or len(one.group) > LONGEST_GROUP_NAME:
            found.miss("group", one.group.replace("\0", "\ufffd")[:LONGEST_GROUP_NAME], UNSTORABLE)
        else:
            found.groups[one.group] = GroupReading(one)


def _describe(admin: OffsetReader, found: Measurement, known: Mapping[str, KnownGroup]) -> None:
    """Members of groups that have some, and the truth about groups that the listing left out."""
    unseen = {name for name, one in known.items() if name not in found.groups and one.state != GroupState.MISSING}
    live = [name for name, one in found.groups.items() if one.listed.state not in (GroupState.EMPTY, GroupState.DEAD)]
    names = [GroupId(name) for name in (*live, *sorted(unseen))]
    answers = admin.describe_groups(names) if names else {}
    for name in names:
        answer = answers.get(name, Problem(ProblemKind.UNAVAILABLE, "", passing=True))
        if name in unseen:
            _judge_unseen(found, name, answer, known[name])
        elif isinstance(answer, Problem):
            found.miss("members", name, answer)
        else:
            found.groups[name].description = answer


def _judge_unseen(found: Measurement, name: GroupId, answer: GroupDescription | Problem, known: KnownGroup) -> None:
    if isinstance(answer, Problem):
        found.miss("unseen", name, answer)
    elif answer.state != GroupState.MISSING:
        listed = ListedGroup(name, answer.type, answer.state, answer.protocol_type)
        found.groups[name] = GroupReading(listed, answer)
    elif known.missing_since is not None and found.at - known.missing_since >= MISSING_TWICE_AFTER:
        found.gone.add(name)
    else:
        found.doubted.add(name)


def _read_commits(admin: OffsetReader, found: Measurement, names: list[GroupId]) -> None:
    answers = admin.committed(names) if names else {}
    for name in names:
        answer = answers.get(name, Problem(ProblemKind.UNAVAILABLE, "", passing=True))
        reading = found.groups[name]
        reading.offsets, reading.unread_topics = None, set()
        if isinstance(answer, Problem):
            found.miss("group", name, answer)
            continue
        reading.offsets = {}
        for of, held in answer.items():
            if isinstance(held, Problem):
                reading.unread_topics.add(of.topic)
                found.miss("offsets", f"{name} on {of}", held)
            else:
                reading.offsets.setdefault(of.topic, {})[of.partition] = held


def _went_back(reading: GroupReading, known: KnownGroup | None) -> bool:
    if known is None or known.rewind_expected or reading.offsets is None:
        return False
    return any(
        _is_behind(reading.packed(topic), before)
        for topic, before in known.committed.items()
        if topic not in reading.unread_topics
    )


def _is_behind(after: bytes, before: bytes) -> bool:
    """Did any offset become smaller, or vanish?"""
    if after == before:
        return False
    now, then = numbers(after), numbers(before)
    gone = any(one != ABSENT for one in then[len(now) :])
    return gone or any(old != ABSENT and (new == ABSENT or new < old) for new, old in zip(now, then, strict=False))


def _read_topics(admin: OffsetReader, found: Measurement, known: Mapping[str, KnownGroup]) -> None:
    names = sorted(_topics_of(found, known))
    answers = admin.topics(names) if names else {}
    partitions: list[TopicPartition] = []
    for name in names:
        answer = answers.get(name, Problem(ProblemKind.UNAVAILABLE, "", passing=True))
        found.topics[name] = answer
        if isinstance(answer, TopicFacts):
            partitions += [TopicPartition(name, partition) for partition in answer.has_leader]
        elif answer.kind != ProblemKind.NOT_FOUND:
            found.miss("topic", name, answer)
    bounds = admin.bounds(partitions, last_stable=False) if partitions else {}
    for of in partitions:
        bound = bounds.get(of, Problem(ProblemKind.UNAVAILABLE, "", passing=True))
        if isinstance(bound, Problem):
            found.miss("partition", str(of), bound)
        else:
            found.bounds[of] = bound


def _topics_of(found: Measurement, known: Mapping[str, KnownGroup]) -> Iterable[str]:
    names: set[str] = set()
    for name, reading in found.groups.items():
        names.update(reading.offsets or ())
        names.update(reading.unread_topics)
        if name in known:
            names.update(known[name].topics)  # also where it has no commit now: what held must not go on unmeasured
        if reading.description is not None:
            names.update(of.topic for member in reading.description.members for of in member.partitions)
    return names
