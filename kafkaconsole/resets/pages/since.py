"""What our history has seen move since a plan was made: whoever signs must see today's effect, not that of days ago."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import queries as history
from kafkaconsole.history.standings import StandingLine
from kafkaconsole.resets.models import Plan, PlanLine, ResetRequest
from kafkaconsole.resets.plans import Action
from kafkaconsole.resets.states import State

TO_COME = frozenset({State.PLANNED, State.APPROVED, State.WAITING})
MOST_LINES = 2_000
"""Plans of more partitions are not compared: the page must be there at once. Carrying out compares every line."""
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
    if plan is None or request.state not in TO_COME or plan.partitions_count > MOST_LINES:
        return None
    group = ConsumerGroup.objects.filter(cluster=request.cluster_id, name=request.group_name).first()
    if group is None or group.measured_at is None or group.measured_at <= plan.planned_at:
        return None
    now = {(one.topic, one.partition): one for one in history.standing(group).lines}
    lines = list(_measured_since(plan, now))
    commits = tuple(
        Moved(_place(line), line.committed, is_now.committed) for line, is_now in lines if _moved(line, is_now)
    )
    targets = tuple(Moved(_place(line), line.target, is_now.log_start) for line, is_now in lines if _lost(line, is_now))
    return Since(group.measured_at, commits, targets) if commits or targets else None


def _measured_since(plan: Plan, now: Mapping[tuple[str, int], StandingLine]) -> Iterator[tuple[PlanLine, StandingLine]]:
    """The lines that will be written, each with what a later reading found on the same topic."""
    for line in plan.lines.filter(action__in=(Action.SET, Action.DELETE)).order_by("topic", "partition"):
        found = now.get((line.topic, line.partition))
        if found is not None and found.measured_at > plan.planned_at and found.topic_id in ("", line.topic_id):
            yield line, found


def _moved(line: PlanLine, now: StandingLine) -> bool:
    return line.committed != now.committed


def _lost(line: PlanLine, now: StandingLine) -> bool:
    return line.target is not None and now.log_start is not None and line.target < now.log_start


def _place(line: PlanLine) -> str:
    return f"{line.topic}-{line.partition}"
