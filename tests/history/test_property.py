"""Random lives of a group, swept into the database, against a plain list kept in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from kafkaconsole.history import queries
from kafkaconsole.history.series import Point, Series
from kafkaconsole.kafka.values import TopicPartition
from tests.history.scene import INTERVAL, NOON, Watched

PARTITIONS = 3
TOPIC = "orders"

partitions = st.integers(0, PARTITIONS - 1)
events = st.lists(
    st.one_of(
        st.tuples(st.just("produce"), partitions, st.integers(1, 50)),
        st.tuples(st.just("commit"), partitions, st.integers(0, 40)),
        st.tuples(st.just("forget"), partitions, st.just(0)),
        st.tuples(st.just("lose leader"), partitions, st.just(0)),
        st.tuples(st.just("regain leader"), partitions, st.just(0)),
        st.tuples(st.just("delete records"), partitions, st.integers(1, 20)),
        st.tuples(st.just("idle"), st.just(0), st.just(0)),
        st.tuples(st.just("down"), st.just(0), st.integers(1, 3)),
        st.tuples(st.just("nobody sweeps"), st.just(0), st.integers(4, 9)),
    ),
    min_size=1,
    max_size=15,
)

Held = dict[int, int | None]


@dataclass
class Seen:
    """What one good sweep must have seen, by partition."""

    at: datetime
    committed: Held
    log_start: Held
    log_end: Held


@dataclass
class PlainList:
    """The history as anyone would write it down."""

    seen: list[Seen] = field(default_factory=list)
    gaps: list[tuple[datetime, datetime | None]] = field(default_factory=list)

    def note(self, watched: Watched, at: datetime) -> None:
        logs = [watched.kafka.log(TOPIC, number) for number in range(PARTITIONS)]
        held = watched.kafka.group("billing").committed
        ours = {number: held.get(TopicPartition(TOPIC, number)) for number in range(PARTITIONS)}
        self.seen.append(
            Seen(
                at,
                {number: one.offset if one else None for number, one in ours.items()},
                {number: log.log_start if log.has_leader else None for number, log in enumerate(logs)},
                {number: log.log_end if log.has_leader else None for number, log in enumerate(logs)},
            )
        )


def live(watched: Watched, life: list[tuple[str, int, int]]) -> PlainList:
    """Let it all happen, a sweep after each event."""
    told = PlainList()
    for event, partition, number in [("idle", 0, 0), *life]:
        happen(watched, told, event, partition, number)
        before = told.seen[-1].at if told.seen else None
        sweep = watched.sweep()
        assert sweep.at is not None
        if before is not None and sweep.at - before > 3 * INTERVAL and (before, None) not in told.gaps:
            told.gaps.append((before, sweep.at))
        told.gaps = [(since, sweep.at if to is None else to) for since, to in told.gaps]
        told.note(watched, sweep.at)
    return told


def happen(watched: Watched, told: PlainList, event: str, partition: int, number: int) -> None:
    kafka, log = watched.kafka, watched.kafka.log(TOPIC, partition)
    if event == "produce":
        log.log_end += number
    elif event == "commit":
        watched.commit("billing", TOPIC, **{f"p{partition}": min(number, log.log_end)})
    elif event == "forget":
        kafka.group("billing").committed.pop(TopicPartition(TOPIC, partition), None)
    elif event == "delete records":
        kafka.delete_records(TOPIC, partition, before=min(number, log.log_end))
    elif event in ("lose leader", "regain leader"):
        log.has_leader = event == "regain leader"
    elif event == "nobody sweeps":
        watched.clock.move(INTERVAL * number)
    elif event == "down":
        kafka.go_down()
        assert [watched.sweep().outcome for _ in range(number)] == ["failed"] * number
        if told.seen:
            told.gaps.append((told.seen[-1].at, None))
        kafka.come_up()


def lag(committed: int | None, end: int | None) -> int | None:
    return None if committed is None or end is None or end < committed else end - committed


def of_partition(one: Seen, number: int) -> tuple[int | None, ...]:
    committed, end = one.committed[number], one.log_end[number]
    return committed, one.log_start[number], end, lag(committed, end)


def summed(one: Seen) -> tuple[int | None, ...]:
    """Sums over the partitions with a commit; None where one of them is unknown."""
    having = [number for number in range(PARTITIONS) if one.committed[number] is not None]
    if not having:
        return None, None, None, None
    columns = zip(*(of_partition(one, number) for number in having), strict=True)
    return tuple(None if None in column else sum(filter(None, column)) for column in columns)


def holding(series: Series, at: datetime) -> Point | None:
    """What the chart shows at an instant: the last point up to it."""
    return next((point for point in reversed(series.points) if point.at <= at), None)


def check(told: PlainList, series: Series, expected: Callable[[Seen], tuple[int | None, ...]]) -> None:
    for one in told.seen:
        point = holding(series, one.at)
        assert point is not None
        assert tuple(point[1:5]) == expected(one), one
    known = {(one.at, *expected(one)) for one in told.seen}
    assert {tuple(point[:5]) for point in series.points} <= known, "a point that nobody measured"
    assert list(series.gaps) == told.gaps


@pytest.mark.django_db(transaction=False)
@seed(20261201)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(life=events)
def test_stored_history_equals_a_plain_list(db: None, life: list[tuple[str, int, int]]) -> None:
    with transaction.atomic():
        watched = Watched()
        watched.kafka.add_topic(TOPIC, PARTITIONS)
        watched.commit("billing", TOPIC, p0=0)
        told = live(watched, life)
        group = watched.group()
        span = {"start": NOON, "end": watched.clock() + timedelta(seconds=1), "max_points": 100_000}
        for number in range(PARTITIONS):
            series = queries.series(group, topic=TOPIC, partition=number, **span)  # type: ignore[arg-type]
            check(told, series, lambda one, number=number: of_partition(one, number))  # type: ignore[misc]
        check(told, queries.series(group, topic=TOPIC, **span), summed)  # type: ignore[arg-type]
        check_looked_up(told, watched)
        transaction.set_rollback(True)


def check_looked_up(told: PlainList, watched: Watched) -> None:
    for one in told.seen:
        past = queries.at(watched.group(), one.at)
        found = {line.partition: line.committed for line in past.lines if line.committed is not None}
        assert found == {number: offset for number, offset in one.committed.items() if offset is not None}
    for since, to in told.gaps:
        assert to is not None
        middle = since + (to - since) / 2
        assert queries.at(watched.group(), middle).not_known == {TOPIC: (since, to)}
