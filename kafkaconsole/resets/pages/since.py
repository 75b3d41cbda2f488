"""What our history has seen move since a plan was made: whoever signs must see today's effect, not that of days ago.

The page asks for it by itself once it is there: comparing ten thousand lines takes longer than everything else on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import queries as history
from kafkaconsole.history.packing import at, unpack
from kafkaconsole.resets.models import Plan, ResetRequest
from kafkaconsole.resets.plans import Action
from kafkaconsole.resets.states import State

TO_COME = frozenset({State.PLANNED, State.APPROVED, State.WAITING})
MOST_LINES = 10_000
"""Plans of more partitions are not compared, and the page says so (docs/performance.md). Carrying out compares every
line with the cluster itself."""
NAMED = 5


@dataclass(frozen=True, slots=True)
class Moved:
    """One partition that is not as planned: its commit is another now, or the log begins after the target."""

    topic: str
    partition: int
    planned: int | None
    now: int | None

    @property
    def place(self) -> str:
        """Topic and partition as people write them."""
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True)
class Since:
    """What is not as planned any more, by the reading of `measured_at`; nothing in both: all is as planned."""

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


def measured_since(request: ResetRequest) -> datetime | None:
    """When the group was last measured, if there is something to compare: a plan still to come, and made before that."""
    group = _measured_group(request)
    return group.measured_at if group else None


def since_of(request: ResetRequest) -> Since | None:
    """None where there is nothing to compare: nobody has looked since, or nothing is to come any more."""
    plan, group = request.plan, _measured_group(request)
    if plan is None or group is None or group.measured_at is None:
        return None
    commits: list[Moved] = []
    targets: list[Moved] = []
    for topic, partition, committed, target, committed_now, log_start_now in _seen_again(plan, group):
        if committed != committed_now:
            commits.append(Moved(topic, partition, committed, committed_now))
        if target is not None and log_start_now is not None and target < log_start_now:
            targets.append(Moved(topic, partition, target, log_start_now))
    return Since(group.measured_at, _in_order(commits), _in_order(targets))


def is_too_long(request: ResetRequest) -> bool:
    """Whether a plan that is still to come has too many partitions to be compared here."""
    plan = request.plan
    return plan is not None and request.state in TO_COME and plan.partitions_count > MOST_LINES


def _measured_group(request: ResetRequest) -> ConsumerGroup | None:
    """The group's row, if it was measured after the plan was made and the plan may still be carried out."""
    plan = request.plan
    if plan is None or request.state not in TO_COME or is_too_long(request):
        return None
    named = ConsumerGroup.objects.filter(cluster=request.cluster_id, name=request.group_name)
    return named.filter(measured_at__gt=plan.planned_at).first()


Seen = tuple[str, int, int | None, int | None, int | None, int | None]


def _seen_again(plan: Plan, group: ConsumerGroup) -> Iterator[Seen]:
    """Each line that will be written and a later reading found on the same topic, in no order: topic, partition, commit
    and target as planned, commit and log start as found. Plain numbers: ten thousand objects would take much longer."""
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
            yield topic, partition, committed, target, at(commits[topic], partition), at(starts[topic], partition)


def _in_order(moved: list[Moved]) -> tuple[Moved, ...]:
    return tuple(sorted(moved, key=attrgetter("topic", "partition")))
