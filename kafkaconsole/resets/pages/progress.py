"""What an attempt has come to, and how the group catches up afterwards, from the last sweep."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count
from django.http import Http404
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.groups import queries as groups
from kafkaconsole.history import queries as history
from kafkaconsole.history.standings import StandingLine
from kafkaconsole.resets.models import Attempt, ResetRequest
from kafkaconsole.resets.pages.time_left import time_left_of
from kafkaconsole.resets.states import ResultState, State

FOLLOWED_FOR = timedelta(minutes=30)
"""So long after it was applied, the page still follows how the group catches up."""

SHOWN_PARTITIONS = 50
DONE_STATES = frozenset({State.APPLIED, State.PARTLY_APPLIED})


@dataclass(frozen=True, slots=True)
class Progress:
    """One attempt in numbers: partitions by what became of them."""

    attempt: Attempt
    total: int
    done: int
    failed: int
    unknown: int

    @property
    def done_percent(self) -> float:
        """Partitions that were written and read back, of a hundred."""
        return 100 * self.done / self.total if self.total else 0.0

    @property
    def failed_percent(self) -> float:
        """Partitions that failed, of a hundred."""
        return 100 * self.failed / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class CatchUp:
    """Where the group is on the plan's partitions now. `measured_at` None: no sweep has seen it since the attempt.

    `left` is about how long until it has caught up, where its own reading rate tells.
    """

    lines: list[StandingLine]
    partitions: int
    lag: int | None
    measured_at: datetime | None
    left: timedelta | None = None

    @property
    def is_over(self) -> bool:
        """Everything is read."""
        return self.lag == 0


def progress_of(request: ResetRequest) -> Progress | None:
    """The latest attempt's numbers; None before the first."""
    attempt = request.attempts.order_by("-number").first()
    if attempt is None:
        return None
    counts = dict(attempt.results.order_by().values_list("state").annotate(Count("pk")))
    unknown = counts.get(ResultState.UNKNOWN, 0)
    return Progress(
        attempt, sum(counts.values()), counts.get(ResultState.DONE, 0), counts.get(ResultState.FAILED, 0), unknown
    )


def catch_up_of(user: User, request: ResetRequest, attempt: Attempt | None) -> CatchUp | None:
    """How the group reads on after an applied attempt; None while there is nothing to follow."""
    if request.state not in DONE_STATES or attempt is None or attempt.ended_at is None:
        return None
    try:
        group = groups.group_for(user, request.cluster, request.group_name)
    except Http404:
        return CatchUp([], 0, None, None)
    planned = set(attempt.results.values_list("topic", "partition"))
    ended_at = attempt.ended_at
    lines = [
        line
        for line in history.standing(group).lines
        if (line.topic, line.partition) in planned and line.measured_at >= ended_at
    ]
    lags = [line.lag for line in lines]
    known = [lag for lag in lags if lag is not None]
    whole = bool(lines) and len(known) == len(lags) and len(lines) == len(planned)
    lines.sort(key=lambda line: -(line.lag or 0))
    measured_at = min((line.measured_at for line in lines), default=None)
    lag = sum(known) if whole else None
    left = time_left_of(group, {topic for topic, _ in planned}, since=ended_at, now=timezone.now()) if lag else None
    return CatchUp(lines[:SHOWN_PARTITIONS], len(planned), lag, measured_at, left)


def is_followed(attempt: Attempt | None, catch_up: CatchUp | None) -> bool:
    """Whether the page still asks: the attempt is fresh and not everything is read."""
    if catch_up is None or attempt is None or attempt.ended_at is None or catch_up.is_over:
        return False
    return timezone.now() - attempt.ended_at < FOLLOWED_FOR
