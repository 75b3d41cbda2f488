"""What must still be as planned before a write (design §2.5), asked from the cluster; nothing is written here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kafkaconsole.kafka.errors import KafkaRefused, KafkaUnavailable, NotAuthorized
from kafkaconsole.kafka.port import OffsetReader
from kafkaconsole.kafka.values import (
    Committed,
    GroupDescription,
    GroupId,
    GroupState,
    OffsetBounds,
    Problem,
    ProblemKind,
    TopicFacts,
    TopicPartition,
)
from kafkaconsole.kafka.writes import problem_of_group
from kafkaconsole.problems import problem
from kafkaconsole.resets import refusals
from kafkaconsole.resets.models import Plan
from kafkaconsole.resets.plans import Action, Line
from kafkaconsole.resets.storing import members_as_json

SHOWN = 100
"""So many differences are kept in the row; of the rest only the number."""

Snapshot = Mapping[TopicPartition, Committed | None]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as planned; `what` is cluster_id, group, topic_id, log or committed."""

    what: str
    planned: object
    found: object
    of: TopicPartition | None = None

    def as_json(self) -> dict[str, object]:
        """As the row keeps it and the page lists it."""
        place = {"topic": self.of.topic, "partition": self.of.partition} if self.of else {}
        return {"what": self.what, **place, "planned": self.planned, "found": self.found}


@dataclass(frozen=True, slots=True)
class Found:
    """What the cluster says now. `active` is a problem that names the members when the group is not Empty."""

    differences: tuple[Difference, ...]
    active: dict[str, object] | None
    snapshot: Snapshot

    @property
    def is_ready(self) -> bool:
        """All as planned, and the group is Empty or proven missing."""
        return not self.differences and self.active is None

    def stale(self) -> dict[str, object]:
        """The problem that lists the differences."""
        shown = [one.as_json() for one in self.differences[:SHOWN]]
        return problem(refusals.STALE, differences=shown, total=len(self.differences))


def look(admin: OffsetReader, plan: Plan, lines: Sequence[Line]) -> Found:
    """Compare the cluster with a plan. Raises KafkaUnavailable where an answer is missing that may come later,
    NotAuthorized or KafkaRefused where one is refused."""
    group = GroupId(plan.group_name)
    found_id = admin.describe_cluster().cluster_id
    if found_id != plan.kafka_cluster_id:
        return Found((Difference("cluster_id", plan.kafka_cluster_id, found_id),), None, {})
    described = _group(admin, group)
    held = committed(admin, group, [line.of for line in lines])
    differences = [
        *_group_differences(plan, described),
        *topic_differences(admin, [(line.of, line.topic_id) for line in lines]),
        *_log_differences(admin, [line for line in lines if line.action is Action.SET], _growth(plan)),
        *(one for line in lines for one in _commit_difference(line, held[line.of])),
    ]
    return Found(tuple(differences), active_members(described), held)


def active_members(described: GroupDescription) -> dict[str, object] | None:
    """The problem of a group that is not Empty, with who is in it; None when it may be written to."""
    why = problem_of_group(described, may_create=True)
    if why is None or why.kind is not ProblemKind.ACTIVE_MEMBERS:
        return None
    members = members_as_json(described.members)
    return problem(refusals.GROUP_STILL_ACTIVE, group=described.group, state=described.state, members=members)


def committed(admin: OffsetReader, group: GroupId, of: Collection[TopicPartition]) -> Snapshot:
    """The committed offset of each partition; raises where one is not told."""
    answers = admin.committed_of(group, of)
    held: dict[TopicPartition, Committed | None] = {}
    for one in of:
        answer = answers.get(one)
        if isinstance(answer, Problem):
            raise error_of(answer, right="Read", resource=f"topic {one.topic}")
        held[one] = answer
    return held


def error_of(found: Problem, *, right: str, resource: str) -> KafkaRefused | KafkaUnavailable:
    """The error of an answer that everything else depends on."""
    if found.kind is ProblemKind.NOT_AUTHORIZED:
        return NotAuthorized(right=right, resource=resource)
    family = KafkaUnavailable if found.passing or found.kind is ProblemKind.UNAVAILABLE else KafkaRefused
    return family(reason=found.kafka_error or found.kind.value, resource=resource)


def describe(admin: OffsetReader, group: GroupId) -> GroupDescription:
    """The group as its coordinator describes it; raises where it does not."""
    return _group(admin, group)


def _group(admin: OffsetReader, group: GroupId) -> GroupDescription:
    described = admin.describe_groups([group])[group]
    if isinstance(described, Problem):
        raise error_of(described, right="Describe", resource=f"group {group}")
    return described


def has_gone(plan: Plan, described: GroupDescription) -> bool:
    """Whether a group that was there is missing now. One that was called Dead may be called either from then on."""
    return described.state is GroupState.MISSING and plan.group_state not in (GroupState.MISSING, GroupState.DEAD)


def _group_differences(plan: Plan, described: GroupDescription) -> Iterator[Difference]:
    if has_gone(plan, described):
        yield Difference("group", plan.group_state, described.state.value)
    why = problem_of_group(described, may_create=True)
    if why is not None and why.kind is ProblemKind.WRONG_KIND:
        yield Difference("group", plan.group_type, why.detail)


def topic_differences(admin: OffsetReader, planned: Iterable[tuple[TopicPartition, str]]) -> Iterator[Difference]:
    """Topics that are gone or were made again since their id was planned, each told once, by its first partition."""
    ids = {of.topic: (of, topic_id) for of, topic_id in reversed(list(planned))}
    topics = admin.topics(sorted(ids))
    for topic, (of, topic_id) in sorted(ids.items()):
        found = _topic_id(topics.get(topic), of)
        if found != topic_id:
            yield Difference("topic_id", topic_id, found, of)


def _topic_id(topic: TopicFacts | Problem | None, of: TopicPartition) -> str | None:
    """None when there is no such topic any more."""
    if isinstance(topic, TopicFacts):
        return topic.topic_id
    if topic is None or topic.kind is ProblemKind.NOT_FOUND:
        return None
    raise error_of(topic, right="Describe", resource=f"topic {of.topic}")


def _growth(plan: Plan) -> int | None:
    """So many offsets may a log have grown since the plan was made; None: any number."""
    return plan.policy_version.rules.log_growth if plan.policy_version else None


def _log_differences(admin: OffsetReader, lines: Sequence[Line], growth: int | None) -> Iterator[Difference]:
    bounds = admin.bounds([line.of for line in lines], last_stable=False) if lines else {}
    for line in lines:
        log = bounds.get(line.of)
        if isinstance(log, OffsetBounds):
            if line.target is None or not log.log_start <= line.target <= log.log_end:
                yield Difference("log", line.target, [log.log_start, log.log_end], line.of)
            elif growth is not None and line.log_end is not None and log.log_end - line.log_end > growth:
                yield Difference("log_end", line.log_end, log.log_end, line.of)
        elif log is None or log.kind is not ProblemKind.NOT_FOUND:
            missing = log or Problem(ProblemKind.UNAVAILABLE, "", passing=True)
            raise error_of(missing, right="Describe", resource=f"topic {line.of.topic}")
        else:
            yield Difference("log", line.target, None, line.of)


def _commit_difference(line: Line, found: Committed | None) -> Iterator[Difference]:
    planned = None if line.committed is None else Committed(line.committed, line.metadata, line.leader_epoch)
    if found != planned:
        yield Difference("committed", _shown(planned), _shown(found), line.of)


def _shown(held: Committed | None) -> object:
    return None if held is None else held.offset
