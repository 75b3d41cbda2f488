"""From facts and a change to a plan. Plain Python: the same facts give the same plan, whoever asks and whenever."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from kafkaconsole.kafka.values import (
    RESETTABLE_TYPES,
    Committed,
    GroupDescription,
    GroupState,
    GroupType,
    Offset,
    OffsetBounds,
    ProblemKind,
    TopicPartition,
)
from kafkaconsole.resets.change import Change, NoCommit, NoRecordAfter, OutOfRange, Rules
from kafkaconsole.resets.command import command_for
from kafkaconsole.resets.digest import digest_of
from kafkaconsole.resets.errors import GroupMissing, NothingInScope, SourceGroupMissing, TopicMissing, WrongGroupKind
from kafkaconsole.resets.facts import Facts, PartitionFacts
from kafkaconsole.resets.plans import Action, Line, Plan, Totals, Why
from kafkaconsole.resets.strategies import Nothing
from kafkaconsole.resets.warnings import changes, warnings_of

CONSUMER_PROTOCOLS = frozenset({"", "consumer"})
"""Protocol types whose committed offsets are a consumer's; others (Connect workers, schema registries) are not."""

_NOBODY_DECIDES = frozenset({Why.NOT_KNOWN_THEN, Why.TOPIC_MADE_AGAIN})
"""What no rule makes an offset of: nobody knows, or it was another topic's."""

_NO_LATER_RECORD = frozenset({Why.NO_RECORD_AFTER, Why.PARTITION_EMPTY})
"""What the rule about records after the moment is for."""

_WHY_OF_PROBLEM = {
    ProblemKind.NO_LEADER: Why.NO_LEADER,
    ProblemKind.NOT_AUTHORIZED: Why.NOT_AUTHORIZED,
    ProblemKind.NOT_FOUND: Why.UNKNOWN_PARTITION,
}


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What the strategy and the rules come to on one partition."""

    action: Action
    wanted: int | None = None
    target: Offset | None = None
    why: Why | None = None
    put_back: Committed | None = None


def compute(change: Change, facts: Facts, planned_at: datetime) -> Plan:
    """The plan of a change. One line per partition, ordered by topic and partition.

    Raises `WrongGroupKind`, `GroupMissing`, `SourceGroupMissing`, `TopicMissing` or `NothingInScope` where there can
    be no plan at all; what is wrong with single partitions is a line that refuses.
    """
    check(change, facts)
    lines = tuple(each_line(change, facts))
    return Plan(
        digest=digest_of(change, facts.cluster_id, lines),
        planned_at=planned_at,
        cluster_id=facts.cluster_id,
        group=change.group,
        group_type=facts.group.type,
        group_state=facts.group.state,
        members=facts.group.members,
        resolved_instant=facts.resolved_instant,
        totals=totals_of(lines),
        warnings=warnings_of(change, facts, lines),
        command=command_for(change, lines),
        lines=lines,
    )


def check(change: Change, facts: Facts) -> None:
    """Refuse a change that no plan can be made of."""
    _check_kind(facts.group)
    if _is_missing(facts) and not change.create_group:
        raise GroupMissing(group=change.group, near=list(facts.near_names))
    source = facts.source_group
    if source is not None and source.state is GroupState.MISSING:
        raise SourceGroupMissing(group=source.group, near=list(facts.near_source_names))
    if source is not None:
        _check_kind(source)
    if facts.missing_topics:
        raise TopicMissing(topics={name: list(near) for name, near in sorted(facts.missing_topics.items())})
    if not facts.partitions:
        whole = change.scope is not None and change.scope.all_committed
        raise NothingInScope(group=change.group, scope="all_committed" if whole else "topics")


def _is_missing(facts: Facts) -> bool:
    """A group that is called Dead is there as long as it has commits (docs/decisions/0047)."""
    if facts.group.state is GroupState.DEAD:
        return not any(one.committed for one in facts.partitions)
    return facts.group.state is GroupState.MISSING


def _check_kind(group: GroupDescription) -> None:
    if group.state is GroupState.MISSING:
        return
    if group.type not in RESETTABLE_TYPES:
        raise WrongGroupKind(group=group.group, kind=group.type.value)
    if group.type is GroupType.CLASSIC and group.protocol_type not in CONSUMER_PROTOCOLS:
        raise WrongGroupKind(group=group.group, kind=group.protocol_type)


def each_line(change: Change, facts: Facts) -> Iterator[Line]:
    """A line for every partition of the facts, ordered by topic and partition; one by one, for some need only the first."""
    return (_line(change, of, facts) for of in sorted(facts.partitions, key=lambda one: one.of))


def _line(change: Change, of: PartitionFacts, facts: Facts) -> Line:
    bounds, committed = of.bounds, of.committed
    verdict = _refused(of) if bounds is None or of.problem is not None else _decide(change, of, bounds, facts)
    replayed, skipped = _distances(committed, verdict.target, bounds)
    return Line(
        of=of.of,
        topic_id=of.topic_id,
        log_start=bounds.log_start if bounds else None,
        log_end=bounds.log_end if bounds else None,
        last_stable=bounds.last_stable if bounds else None,
        committed=committed.offset if committed else None,
        metadata=committed.metadata if committed else "",
        leader_epoch=committed.leader_epoch if committed else None,
        wanted=verdict.wanted,
        target=verdict.target,
        action=verdict.action,
        why=verdict.why,
        replayed=replayed,
        skipped=skipped,
        record_at=_record_at(of, verdict.target, facts),
        record_before_at=_record_before_at(of, verdict.target, facts),
        put_back=verdict.put_back,
    )


def _refused(of: PartitionFacts) -> _Verdict:
    kind = of.problem.kind if of.problem else ProblemKind.UNAVAILABLE
    return _Verdict(Action.REFUSE, why=_WHY_OF_PROBLEM.get(kind, Why.UNAVAILABLE))


def _decide(change: Change, of: PartitionFacts, bounds: OffsetBounds, facts: Facts) -> _Verdict:
    wish = change.strategy.wanted(of, bounds, facts)
    if wish in _NOBODY_DECIDES:
        return _Verdict(Action.REFUSE, why=wish if isinstance(wish, Why) else None)
    if change.rules.no_commit is not NoCommit.STRATEGY and not change.strategy.starts_from(of):
        return _without_commit(change.rules.no_commit, bounds)
    if isinstance(wish, Why):
        return _without_wish(wish, change.rules, bounds)
    if isinstance(wish, Nothing):
        return _without_offset(change, of)
    if isinstance(wish, Committed):
        return _put_back(bounds, wish, change.rules)
    return _within(bounds, wish, change.rules)


def _without_offset(change: Change, of: PartitionFacts) -> _Verdict:
    """The group is to have no commit here: deleted where it has one, left where it has none."""
    why = None if change.strategy.recalls is None else Why.NO_COMMIT_THEN
    if of.committed is None:
        return _Verdict(Action.LEAVE, why=why or Why.NO_COMMIT)
    return _Verdict(Action.DELETE, why=why)


def _put_back(bounds: OffsetBounds, earlier: Committed, rules: Rules) -> _Verdict:
    """A whole commit, brought into the log like any offset: its epoch stays only where its offset does."""
    verdict = _within(bounds, earlier.offset, rules)
    if verdict.target is None:
        return verdict
    epoch = earlier.leader_epoch if verdict.target == earlier.offset else None
    return replace(verdict, put_back=Committed(verdict.target, earlier.metadata, epoch))


def _without_commit(rule: NoCommit, bounds: OffsetBounds) -> _Verdict:
    match rule:
        case NoCommit.EARLIEST:
            return _Verdict(Action.SET, bounds.log_start, bounds.log_start, Why.NO_COMMIT)
        case NoCommit.LATEST:
            return _Verdict(Action.SET, bounds.log_end, bounds.log_end, Why.NO_COMMIT)
        case NoCommit.LEAVE:
            return _Verdict(Action.LEAVE, why=Why.NO_COMMIT)
        case _:
            return _Verdict(Action.REFUSE, why=Why.NO_COMMIT)


def _without_wish(why: Why, rules: Rules, bounds: OffsetBounds) -> _Verdict:
    """The strategy could name no offset: what the reason and the rules make of it."""
    if why in (Why.NOT_IN_SOURCE, Why.NOT_IN_SNAPSHOT):
        return _Verdict(Action.LEAVE, why=why)
    if why in _NO_LATER_RECORD and rules.no_record_after is NoRecordAfter.LOG_END:
        return _Verdict(Action.SET, target=bounds.log_end, why=why)
    if why in _NO_LATER_RECORD and rules.no_record_after is NoRecordAfter.KEEP:
        return _Verdict(Action.LEAVE, why=why)
    return _Verdict(Action.REFUSE, why=why)


def _within(bounds: OffsetBounds, wanted: int, rules: Rules) -> _Verdict:
    """The wanted offset, brought into the log where it is outside and the rule allows it."""
    if bounds.log_start <= wanted <= bounds.log_end:
        return _Verdict(Action.SET, wanted, Offset(wanted))
    if rules.out_of_range is OutOfRange.REFUSE:
        return _Verdict(Action.REFUSE, wanted, why=Why.OUT_OF_RANGE)
    if wanted < bounds.log_start:
        return _Verdict(Action.SET, wanted, bounds.log_start, Why.CLAMPED_TO_LOG_START)
    return _Verdict(Action.SET, wanted, bounds.log_end, Why.CLAMPED_TO_LOG_END)


def _distances(
    committed: Committed | None, target: Offset | None, bounds: OffsetBounds | None
) -> tuple[int | None, int | None]:
    """Offsets read again and offsets never read, counted from where the group would really go on."""
    if committed is None or target is None or bounds is None:
        return None, None
    effective = min(max(committed.offset, bounds.log_start), bounds.log_end)
    return max(0, effective - target), max(0, target - effective)


def _record_at(of: PartitionFacts, target: Offset | None, facts: Facts) -> datetime | None:
    """The time of the first record that will be read from the target on, where it was looked up."""
    if target is None:
        return None
    if of.found_at is not None and of.found_at.offset == target:
        return of.found_at.at
    return next((one.at for one in facts.around.get(of.of, ()) if one.offset >= target), None)


def _record_before_at(of: PartitionFacts, target: Offset | None, facts: Facts) -> datetime | None:
    """The time of the last record that will not be read again, where it was looked up and lies near."""
    before = [one for one in facts.around.get(of.of, ()) if target is not None and one.offset < target]
    return before[-1].at if before else None


def totals_of(lines: Iterable[Line]) -> Totals:
    """The sums of a plan."""
    lines = list(lines)
    return Totals(
        partitions=len(lines),
        changed=sum(changes(line) for line in lines),
        replayed=sum(line.replayed or 0 for line in lines),
        skipped=sum(line.skipped or 0 for line in lines),
    )


def targets_of(lines: Iterable[Line]) -> Mapping[TopicPartition, Committed]:
    """What will be committed, partition by partition: exactly the lines that set.

    The text that the group keeps beside its commit stays; the leader epoch is that of the old offset's record, so it
    stays only where the offset stays (docs/decisions/0012). A commit that is put back is put back whole.
    """
    return {
        line.of: line.put_back
        or Committed(line.target, line.metadata, line.leader_epoch if line.target == line.committed else None)
        for line in lines
        if line.action is Action.SET and line.target is not None
    }


def deletions_of(lines: Iterable[Line]) -> tuple[TopicPartition, ...]:
    """Where the group's commit will be deleted: exactly the lines that delete."""
    return tuple(line.of for line in lines if line.action is Action.DELETE)


@dataclass(frozen=True, slots=True)
class Difference:
    """One partition on which two plans do not agree; None where a plan does not have it."""

    of: TopicPartition
    before: Line | None
    after: Line | None


def difference(before: Iterable[Line], after: Iterable[Line]) -> tuple[Difference, ...]:
    """The lines in which two plans differ in what is signed: topic id, commit, action, target. By topic and partition."""
    old, new = ({line.of: line for line in lines} for lines in (before, after))
    pairs = [Difference(of, old.get(of), new.get(of)) for of in sorted(old.keys() | new.keys())]
    return tuple(pair for pair in pairs if _signed(pair.before) != _signed(pair.after))


def _signed(line: Line | None) -> Sequence[object] | None:
    if line is None:
        return None
    return (line.topic_id, line.committed, line.metadata, line.leader_epoch, line.action, line.target, line.put_back)
