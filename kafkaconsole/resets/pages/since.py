"""What our history has seen move since a plan was made: whoever signs must see today's effect, not that of days ago."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import queries as history
from kafkaconsole.history.packing import at, unpack
from kafkaconsole.resets.models import Plan, ResetRequest
from kafkaconsole.resets.plans import Action
from kafkaconsole.resets.states import State

TO_COME = frozenset({State.PLANNED, State.APPROVED, State.WAITING})
MOST_LINES = 10_000
"""Plans of more partitions are not compared, and the page says so: it must be there at once (docs/performance.md).
Carrying out compares every line with the cluster itself."""
NAMED = 5


@dataclass(frozen=True, slots=True)
class Moved:
    """One partition that is not as planned: its commit is another now, or the log begins after the target."""

    place: str
    planned: int | None
    now: int | None


@dataclass(frozen=True, slots=True)
class Since:
    """What is not as planned any more, by the reading of `measured_at`."""

    measured_at: datetime
    commits: tuple[Moved, ...]
    targets: tuple[Moved, ...]

    @property
    def first_commits(self) -> tuple[Moved, ...]:
        """Those that are named."""
        return self.commits[:NAMED]

    @property
    def first_targets(self) -> tuple[Moved, ...]:
        """Those that are named."""
        return self.targets[:NAMED]


def since_of(request: ResetRequest) -> Since | None:
    """None where all is as planned, as far as anybody has looked since, or nothing is to come any more."""
    plan = request.plan
    if plan is None or request.state not in TO_COME or is_too_long(request):
        return None
    group = ConsumerGroup.objects.filter(cluster=request.cluster_id, name=request.group_name).first()
    if group is None or group.measured_at is None or group.measured_at <= plan.planned_at:
        return None
    lines = sorted(one for one in _measured_since(plan, group) if _moved(one) or _lost(one))
    commits = tuple(Moved(_place(one), one.committed, one.committed_now) for one in lines if _moved(one))
    targets = tuple(Moved(_place(one), one.target, one.log_start_now) for one in lines if _lost(one))
    return Since(group.measured_at, commits, targets) if commits or targets else None


def is_too_long(request: ResetRequest) -> bool:
    """Whether a plan that is still to come has too many partitions to be compared here."""
    plan = request.plan
    return plan is not None and request.state in TO_COME and plan.partitions_count > MOST_LINES


class _Seen(NamedTuple):
    """A line that will be written, and what a later reading found on the same topic."""

    topic: str
    partition: int
    committed: int | None
    target: int | None
    committed_now: int | None
    log_start_now: int | None


def _measured_since(plan: Plan, group: ConsumerGroup) -> Iterator[_Seen]:
    """All of them, in no order. Plain numbers: ten thousand rows of objects would take longer than the page may."""
    now = {one.topic: one for one in history.readings(group) if one.measured_at > plan.planned_at}
    commits = {topic: unpack(one.committed) for topic, one in now.items()}
    starts = {topic: unpack(one.log_starts) for topic, one in now.items()}
    written = plan.lines.filter(action__in=(Action.SET, Action.DELETE)).order_by()
    for topic, topic_id, partition, committed, target in written.values_list(
        "topic", "topic_id", "partition", "committed", "target"
    ):
        found = now.get(topic)
        if found is None or found.topic_id not in ("", topic_id):
            continue
        if partition < max(found.partitions_count, len(commits[topic])):
            is_now = at(commits[topic], partition), at(starts[topic], partition)
            yield _Seen(topic, partition, committed, target, *is_now)


def _moved(one: _Seen) -> bool:
    return one.committed != one.committed_now


def _lost(one: _Seen) -> bool:
    return one.target is not None and one.log_start_now is not None and one.target < one.log_start_now


def _place(one: _Seen) -> str:
    return f"{one.topic}-{one.partition}"
