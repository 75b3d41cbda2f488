"""Short ways to play a case: a broker with logs and commits, a plan on it, and what a refused change names."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.resets.change import Change, parse_change
from kafkaconsole.resets.errors import BadChange, FieldProblem
from kafkaconsole.resets.gathering import gather
from kafkaconsole.resets.planning import compute
from kafkaconsole.resets.plans import Line, Plan
from tests.fakes.kafka import FakeKafka

DAY = datetime(2026, 3, 1, tzinfo=UTC)
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ORDERS = {"topics": [{"topic": "orders"}]}
ALL = {"all_committed": True}


def clock(hours: int, minutes: int = 0) -> datetime:
    """A time of the day on which the cases play."""
    return DAY + timedelta(hours=hours, minutes=minutes)


def a_broker(logs: Mapping[int, tuple[int, int]], commits: Mapping[int, int] | None = None) -> FakeKafka:
    """Topic orders with {partition: (log start, log end)} and no records to look at, and commits of group g."""
    fake = FakeKafka()
    fake.add_topic("orders", max(logs) + 1)
    for partition, (start, end) in logs.items():
        log = fake.log("orders", partition)
        log.log_start, log.log_end = Offset(start), Offset(end)
    if commits is not None:
        commit(fake, commits)
    return fake


def commit(fake: FakeKafka, offsets: Mapping[int, int], *, topic: str = "orders", group: str = "g") -> None:
    """Commits of a group."""
    fake.set_committed(group, {TopicPartition(topic, one): Committed(Offset(at)) for one, at in offsets.items()})


def records(fake: FakeKafka, *times: datetime, topic: str = "orders", partition: int = 0) -> None:
    """Records with these times, one after another."""
    for at in times:
        fake.produce(topic, partition, b"m", at=at)


def a_change(kind: str, *, scope: object = ORDERS, group: str = "g", **more: Any) -> Change:
    """A change of group g on topic orders; what is not `rules` or `create_group` belongs to the strategy."""
    beside: dict[str, Any] = {name: more.pop(name) for name in ("rules", "create_group") if name in more}
    body: dict[str, Any] = {
        "cluster": "demo",
        "group": group,
        "scope": scope,
        "strategy": {"kind": kind, **more},
        **beside,
    }
    return parse_change(body)


def a_plan(fake: FakeKafka, kind: str, *, now: datetime = NOW, times: bool = False, **more: Any) -> Plan:
    """The plan of such a change."""
    change = a_change(kind, **more)
    return compute(change, gather(fake, change, now=now, times=fake if times else None), now)


def lines(fake: FakeKafka, kind: str, **more: Any) -> dict[str, Line]:
    """Its lines by partition."""
    return {str(line.of): line for line in a_plan(fake, kind, **more).lines}


def only_line(fake: FakeKafka, kind: str, **more: Any) -> Line:
    """Its only line."""
    (line,) = a_plan(fake, kind, **more).lines
    return line


def problems_of(kind: str, **more: Any) -> list[FieldProblem]:
    """What is wrong with a change that must be refused."""
    with pytest.raises(BadChange) as caught:
        a_change(kind, **more)
    return list(caught.value.problems)


def warned(plan: Plan, code: str) -> Mapping[str, object]:
    """The facts of a warning that must be there."""
    (facts,) = [warning.facts for warning in plan.warnings if warning.code == code]
    return facts
