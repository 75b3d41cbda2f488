"""When a group will have caught up, by its own reading rate since the reset; not told where the history cannot know."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import queries as history
from kafkaconsole.history.series import Point

WINDOW = timedelta(minutes=5)
"""The rate is that of the last minutes: a group that has just begun is not judged by its start."""
SHORTEST = timedelta(seconds=15)
"""A rate over less time than this says nothing."""
MOST_TOPICS = 5
LONGEST = timedelta(days=30)
POINTS = 60


def time_left_of(group: ConsumerGroup, topics: Collection[str], *, since: datetime, now: datetime) -> timedelta | None:
    """The longest of the topics' times; None where one is not known, the group gains nothing, or topics are too many."""
    start = max(since, now - WINDOW)
    if not 0 < len(topics) <= MOST_TOPICS or start >= now:
        return None
    longest = timedelta(0)
    for topic in topics:
        found = history.series(group, topic=topic, start=start, end=now, max_points=POINTS)
        left = time_left([point for point in found.points if point.at > start])
        if left is None:
            return None
        longest = max(longest, left)
    return longest


def time_left(points: Sequence[Point]) -> timedelta | None:
    """Lag by the rate at which it has shrunk from the first point to the last: reading less what was written meanwhile."""
    known = [point for point in points if point.committed is not None and point.lag is not None]
    if not known:
        return None
    first, last = known[0], known[-1]
    if not last.lag:
        return timedelta(0)
    passed = last.at - first.at
    read = (last.committed or 0) - (first.committed or 0)
    gained = (first.lag or 0) - last.lag
    if passed < SHORTEST or read <= 0 or gained <= 0:
        return None
    seconds = last.lag * passed.total_seconds() / gained
    return timedelta(seconds=seconds) if seconds <= LONGEST.total_seconds() else None
