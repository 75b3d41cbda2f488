"""Commits are read a second time, some seconds after the first: who waits for it, and for how long."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest

from kafkaconsole.kafka.values import Committed, GroupId, GroupState, Offset
from kafkaconsole.resets.facts import Facts
from kafkaconsole.resets.gathering import gather
from tests.fakes.kafka import FakeKafka
from tests.resets.making import NOW, T0, a_change

PAUSE = timedelta(seconds=3)


class Clock:
    """Stands still but for what sleeps, and notes how long that was (seconds)."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stands = Clock()
    told = SimpleNamespace(monotonic=stands.monotonic, sleep=stands.sleep)
    monkeypatch.setattr("kafkaconsole.resets.surroundings.time", told)
    return stands


@pytest.fixture
def fake(clock: Clock) -> FakeKafka:
    """Topic t with one record; the Empty group g has a commit on it."""
    broker = FakeKafka()
    broker.add_topic("t")
    broker.produce("t", 0, b"m", at=NOW)
    broker.set_committed("g", {T0: Committed(Offset(1))})
    return broker


def facts_of(fake: FakeKafka, pause: timedelta | None) -> Facts:
    return gather(fake, a_change("to_earliest"), now=NOW, times=fake, pause=pause)


def takes(clock: Clock, fake: FakeKafka, call: str, seconds: float) -> None:
    """The cluster needs so long for this call."""

    def pass_by() -> None:
        clock.now += seconds

    fake.before(call, pass_by)


def test_nothing_else_to_do_means_the_whole_pause(fake: FakeKafka, clock: Clock) -> None:
    facts_of(fake, PAUSE)
    assert clock.slept == [3.0]


@pytest.mark.parametrize("call", ["bounds", "topic_configs", "times_around"])
def test_what_else_is_gathered_fills_the_pause(fake: FakeKafka, clock: Clock, call: str) -> None:
    takes(clock, fake, call, 2.0)
    facts_of(fake, PAUSE)
    assert clock.slept == [1.0]


def test_a_long_gathering_leaves_nothing_to_wait_for(fake: FakeKafka, clock: Clock) -> None:
    takes(clock, fake, "bounds", 5.0)
    fake.commit_by_hand("g", T0)
    assert facts_of(fake, PAUSE).second
    assert clock.slept == [0.0]


def test_what_comes_before_the_first_reading_does_not_count(fake: FakeKafka, clock: Clock) -> None:
    takes(clock, fake, "describe_groups", 2.0)
    facts_of(fake, PAUSE)
    assert clock.slept == [3.0]


def test_a_preview_does_not_wait(fake: FakeKafka, clock: Clock) -> None:
    assert not facts_of(fake, None).second
    assert clock.slept == []


def test_a_group_with_members_is_not_waited_for(fake: FakeKafka, clock: Clock) -> None:
    fake.group("g").state = GroupState.STABLE
    facts_of(fake, PAUSE)
    assert clock.slept == []


def test_a_group_without_commits_is_not_waited_for(fake: FakeKafka, clock: Clock) -> None:
    change = a_change("to_earliest", group=GroupId("newcomer"), create_group=True)
    gather(fake, change, now=NOW, times=fake, pause=PAUSE)
    assert clock.slept == []
