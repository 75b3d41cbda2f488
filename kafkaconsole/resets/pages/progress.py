"""What an attempt has come to, and how the group catches up afterwards, from the last sweep."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter

from django.db.models import Count, Max
from django.http import Http404
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.groups import queries as groups
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import queries as history
from kafkaconsole.history.lags import lag_of
from kafkaconsole.history.packing import at, unpack
from kafkaconsole.history.standings import Reading, StandingLine, lines_of
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
    planned = _written_to(attempt)
    readings = [one for one in _readings(group) if one.topic in planned and one.measured_at >= attempt.ended_at]
    lags = [lag for number, one in enumerate(readings) for lag in _lags(number, one, planned[one.topic])]
    known = [lag for lag, _, _ in lags if lag is not None]
    count = sum(len(partitions) for partitions in planned.values())
    lag = sum(known) if lags and len(known) == len(lags) == count else None
    measured_at = min((readings[number].measured_at for _, number, _ in lags), default=None)
    left = time_left_of(group, planned.keys(), since=attempt.ended_at, now=timezone.now()) if lag else None
    return CatchUp(_most_behind(lags, readings), count, lag, measured_at, left)


Lag = tuple[int | None, int, int]
"""A partition's lag as far as it is known, the number of its reading, the partition."""


def _written_to(attempt: Attempt) -> dict[str, Collection[int]]:
    """The partitions by topic. No partition is there twice, so as many as the highest number says are all of them."""
    results = attempt.results.order_by()
    counted = results.values_list("topic").annotate(Count("pk"), Max("partition"))
    found: dict[str, Collection[int]] = {topic: range(count) for topic, count, last in counted if count == last + 1}
    some = results.exclude(topic__in=list(found)) if found else results
    for topic, rows in groupby(some.order_by("topic").values_list("topic", "partition"), key=itemgetter(0)):
        found[topic] = {partition for _, partition in rows}
    return found


def _readings(group: ConsumerGroup) -> Iterator[Reading]:
    """Those of topics that the group has a commit on, or reads."""
    assigned = {topic for member in group.members for topic, _ in member["partitions"]}
    return (one for one in history.readings(group) if one.committed or one.topic in assigned)


def _lags(number: int, reading: Reading, partitions: Collection[int]) -> Iterator[Lag]:
    """Plain numbers: ten thousand lines as objects would take longer than the page may."""
    committed, ends = unpack(reading.committed), unpack(reading.log_ends)
    for partition in range(max(reading.partitions_count, len(committed))):
        if partition in partitions:
            yield lag_of(at(committed, partition), at(ends, partition)), number, partition


def _most_behind(lags: list[Lag], readings: list[Reading]) -> list[StandingLine]:
    """The lines that are shown, those with the most lag first."""
    first = heapq.nlargest(SHOWN_PARTITIONS, lags, key=lambda one: one[0] or 0)
    shown: dict[tuple[int, int], StandingLine] = {}
    for number in {number for _, number, _ in first}:
        partitions = {partition for _, of, partition in first if of == number}
        shown |= {(number, line.partition): line for line in lines_of(readings[number], {}, partitions)}
    return [shown[number, partition] for _, number, partition in first]


def is_followed(attempt: Attempt | None, catch_up: CatchUp | None) -> bool:
    """Whether the page still asks: the attempt is fresh and not everything is read."""
    if catch_up is None or attempt is None or attempt.ended_at is None or catch_up.is_over:
        return False
    return timezone.now() - attempt.ended_at < FOLLOWED_FOR
