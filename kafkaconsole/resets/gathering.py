"""The facts of a plan, asked from one cluster through the port: the group, its commits, then the logs, then times."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from kafkaconsole.kafka.port import OffsetReader, RecordReader
from kafkaconsole.kafka.values import (
    Committed,
    GroupDescription,
    GroupId,
    GroupState,
    OffsetBounds,
    Problem,
    ProblemKind,
    TimedOffset,
    TopicPartition,
)
from kafkaconsole.resets import instants, reading, surroundings
from kafkaconsole.resets.change import Change
from kafkaconsole.resets.errors import GroupNotProvenMissing
from kafkaconsole.resets.facts import NOTHING_RECALLED, Facts, PartitionFacts, Recalled
from kafkaconsole.resets.planning import each_line
from kafkaconsole.resets.scoping import Scoped, all_committed, existing, named_topics, whole

NEAR_NAMES = 5

Commits = Mapping[TopicPartition, Committed | None | Problem]

_MAYBE_GONE = frozenset({GroupState.MISSING, GroupState.DEAD})
_NO_ANSWER = Problem(ProblemKind.UNAVAILABLE, "", passing=True, detail="no answer for this partition")


@dataclass(frozen=True, slots=True)
class _Group:
    """A group as found, and names that resemble its own where it is missing."""

    description: GroupDescription
    near: tuple[str, ...] = ()


def gather(
    admin: OffsetReader,
    change: Change,
    *,
    now: datetime,
    times: RecordReader | None,
    recalled: Recalled = NOTHING_RECALLED,
    pause: timedelta | None = None,
) -> Facts:
    """Measure everything that `planning.compute` needs for a change.

    `now` is the moment that a duration counts from, `recalled` what the console's own records tell. Records are read
    where `times` is given, and commits a second time, `pause` later; without a pause it is a preview, whose person
    waits: no second reading then, and record times around the first targets alone. Raises `kafka.errors` where a whole
    call fails, `GroupNotProvenMissing` where a group is neither there nor proven missing, `BadInstant` for a moment
    before 1970. What is wrong with single partitions is in their facts.
    """
    now = instants.in_whole_ms(now)
    instant = change.strategy.instant(now)
    watch = surroundings.Watch(pause)
    facts = _measure(admin, change, now, instant, recalled, watch)
    if times is not None and instant is not None:
        facts = replace(facts, partitions=reading.settled(times, facts.partitions, instant))
    facts = surroundings.with_settings(admin, facts)
    if times is not None:
        most = reading.PREVIEWED if pause is None else None
        facts = replace(facts, around=reading.times_around(times, each_line(change, facts), most=most))
    return watch.again(admin, facts)


def _measure(
    admin: OffsetReader,
    change: Change,
    now: datetime,
    instant: datetime | None,
    recalled: Recalled,
    watch: surroundings.Watch,
) -> Facts:
    """Group, commits, then logs: measured in this order, so that no commit can seem to be ahead of its log."""
    cluster_id = admin.describe_cluster().cluster_id
    group = _find_group(admin, change.group)
    source_name = change.strategy.source_group
    source = None if source_name is None else _find_group(admin, source_name)
    copied = _earlier_commits(recalled) if source is None else _all_commits(admin, source)
    scoped, own = _scope(admin, change, group, copied, recalled)
    watch.begin()
    partitions = _measured(admin, scoped, own, copied)
    return Facts(
        cluster_id=cluster_id,
        measured_at=now,
        group=group.description,
        partitions=partitions if instant is None else _looked_up(admin, partitions, instant),
        resolved_instant=instant,
        near_names=group.near,
        near_source_names=source.near if source else (),
        missing_topics=_near_topics(admin, scoped.missing),
        internal_topics=frozenset(scoped.internal),
        gone=tuple(sorted(scoped.gone)),
        left_out=tuple(sorted(scoped.left_out)),
        source_group=source.description if source else None,
        earlier=recalled.earlier,
        seen=recalled.seen,
        partitions_counts=scoped.counts,
        topic_operations=scoped.operations,
    )


def _earlier_commits(recalled: Recalled) -> Commits:
    """The commits that are put back; a partition that had none then has none here."""
    offsets = {} if recalled.earlier is None else recalled.earlier.offsets
    return {of: held for of, held in offsets.items() if held is not None}


def _find_group(admin: OffsetReader, name: GroupId) -> _Group:
    """The group as its coordinator describes it; "missing" is believed only when no listing knows the name."""
    description = admin.describe_groups([name])[name]
    if isinstance(description, Problem):
        raise whole(description, right="Describe", resource=f"group {name}")
    if description.state not in _MAYBE_GONE:
        return _Group(description)
    listing = admin.list_groups()
    for listed in listing.groups:
        if listed.group == name:
            state = listed.state if description.state is GroupState.MISSING else description.state
            return _Group(replace(description, type=listed.type, state=state, protocol_type=listed.protocol_type))
    if listing.problems:
        raise GroupNotProvenMissing(group=name, brokers=sorted(listing.problems))
    near = near_names(name, (listed.group for listed in listing.groups))
    return _Group(replace(description, state=GroupState.MISSING), near)


def near_names(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Up to five known names that resemble one that is not known, the nearest first; case does not count."""
    by_folded = {one.casefold(): one for one in sorted(known, reverse=True)}
    near = difflib.get_close_matches(name.casefold(), by_folded, n=NEAR_NAMES, cutoff=0.6)
    return tuple(by_folded[one] for one in near)


def _all_commits(admin: OffsetReader, group: _Group) -> Commits:
    """Every commit of a group; none where the group is missing."""
    if group.description.state is GroupState.MISSING:
        return {}
    name = group.description.group
    commits = admin.committed([name])[name]
    if isinstance(commits, Problem):
        raise whole(commits, right="Describe", resource=f"group {name}")
    return commits


def _scope(
    admin: OffsetReader, change: Change, group: _Group, copied: Commits, recalled: Recalled
) -> tuple[Scoped, Commits]:
    """The partitions that the change names, or that the group (and what is copied or put back) has commits on."""
    named: Collection[TopicPartition] | None = change.strategy.named()
    if change.scope is not None and change.scope.all_committed:
        own = _all_commits(admin, group)
        if named is None:
            return all_committed(admin, change.group, own.keys() | copied.keys()), own
        return existing(admin, named, gone=False), own
    if named is None and change.scope is None and recalled.earlier is not None:
        named = recalled.earlier.offsets.keys()
    scoped = named_topics(admin, change) if named is None else existing(admin, named, gone=False)
    if group.description.state is GroupState.MISSING or not scoped.topic_ids:
        return scoped, {}
    return scoped, admin.committed_of(group.description.group, sorted(scoped.topic_ids))


def _measured(admin: OffsetReader, scoped: Scoped, own: Commits, copied: Commits) -> tuple[PartitionFacts, ...]:
    """Each partition with its commit and, asked last, its bounds."""
    asked = sorted(of for of in scoped.topic_ids if of not in scoped.problems)
    bounds = admin.bounds(asked) if asked else {}
    return tuple(
        _partition(of, topic_id, (scoped.problems.get(of) or bounds.get(of, _NO_ANSWER)), own.get(of), copied.get(of))
        for of, topic_id in sorted(scoped.topic_ids.items())
    )


def _partition(
    of: TopicPartition,
    topic_id: str,
    bounds: OffsetBounds | Problem,
    own: Committed | None | Problem,
    source: Committed | None | Problem,
) -> PartitionFacts:
    problem = next((answer for answer in (bounds, own, source) if isinstance(answer, Problem)), None)
    return PartitionFacts(
        of=of,
        topic_id=topic_id,
        bounds=None if problem or isinstance(bounds, Problem) else bounds,
        committed=None if isinstance(own, Problem) else own,
        source=None if isinstance(source, Problem) else source,
        problem=problem,
    )


def _looked_up(
    admin: OffsetReader, partitions: Sequence[PartitionFacts], instant: datetime
) -> tuple[PartitionFacts, ...]:
    """The first record at or after the instant; where the broker knows none, cross-checked with the newest record.

    The newest record may have been written between the two calls. So where it would match, the first question is
    asked again: only a "none" that comes after the newest record was there contradicts it (reset-semantics A.5).
    """
    asked = [one.of for one in partitions if one.bounds is not None]
    found = _first_at(admin, asked, instant)
    unanswered = [of for of in asked if found.get(of, _NO_ANSWER) is None]
    newest = admin.max_timestamps(unanswered) if unanswered else {}
    doubtful = [of for of in unanswered if _matches(newest.get(of), instant)]
    found = {**found, **_first_at(admin, doubtful, instant)}
    return tuple(_with_times(one, found, newest) for one in partitions)


def _first_at(
    admin: OffsetReader, asked: Collection[TopicPartition], instant: datetime
) -> Mapping[TopicPartition, TimedOffset | None | Problem]:
    return admin.offsets_at(dict.fromkeys(asked, instant)) if asked else {}


def _matches(newest: TimedOffset | None | Problem, instant: datetime) -> bool:
    return isinstance(newest, TimedOffset) and newest.at >= instant


def _with_times(
    one: PartitionFacts,
    found: Mapping[TopicPartition, TimedOffset | None | Problem],
    newest: Mapping[TopicPartition, TimedOffset | None | Problem],
) -> PartitionFacts:
    if one.bounds is None:
        return one
    first, last = found.get(one.of, _NO_ANSWER), newest.get(one.of)
    if isinstance(first, Problem):
        return replace(one, bounds=None, problem=first)
    if isinstance(last, Problem):
        return replace(one, bounds=None, problem=last)
    return replace(one, found_at=first, newest=last)


def _near_topics(admin: OffsetReader, missing: Collection[str]) -> dict[str, tuple[str, ...]]:
    known = list(admin.topics()) if missing else []
    return {name: near_names(name, known) for name in sorted(missing)}
