"""Restoring from our own history: what the sweeps read, how old it is, and where they did not look."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine

from kafkaconsole.kafka.errors import KafkaUnavailable
from kafkaconsole.resets.instants import utc_text
from kafkaconsole.resets.models import ResetRequest
from tests import factories
from tests.factories import hello
from tests.history.scene import NOON, Watched
from tests.scene import Scene

GROUP = factories.GROUP
MINUTE = timedelta(minutes=1)


@pytest.fixture
def watched(scene: Scene) -> Iterator[Watched]:
    """The scene's cluster under observation; the clock of the requests stands at noon and an hour."""
    with time_machine.travel(NOON + timedelta(hours=1), tick=False):
        yield Watched(cluster=scene.cluster, kafka=scene.kafka)


def ask(scene: Scene, minutes: float, **more: object) -> ResetRequest:
    """Alice wants the group as it was so many minutes after noon."""
    as_of = utc_text(NOON + minutes * MINUTE)
    change = factories.make_change(strategy={"kind": "restore", "as_of": as_of}, **more)
    return factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka)


def test_the_group_gets_back_what_the_history_read_before_the_moment(scene: Scene, watched: Watched) -> None:
    watched.sweep(MINUTE)  # 12:01: 3, 3, 3
    scene.kafka.set_committed(GROUP, {hello(number): factories.at(1) for number in range(3)})
    watched.sweep(MINUTE)
    watched.sweep(MINUTE)
    request = ask(scene, 1.5)
    assert [line.target for line in request.the_plan.lines.all()] == [3, 3, 3]
    facts = {one["code"]: one["facts"] for one in request.the_plan.warnings}["restored_from_history"]
    assert facts["age_s"] == pytest.approx(30, abs=2)
    request = factories.execute(factories.approve(request, scene.cast.bob), scene.kafka)
    assert request.state == "applied" and factories.offsets_in(scene.kafka) == [3, 3, 3]


def test_a_commit_that_was_not_there_then_is_deleted_also_from_all_that_is_committed(
    scene: Scene, watched: Watched
) -> None:
    held = scene.kafka.group(GROUP).committed
    del held[hello(2)]
    watched.sweep(MINUTE)
    held[hello(2)] = factories.at(2)
    watched.sweep(MINUTE)
    request = ask(scene, 1.5, scope={"all_committed": True})
    lines = [(line.partition, line.action, line.why) for line in request.the_plan.lines.all()]
    assert lines == [(0, "set", ""), (1, "set", ""), (2, "delete", "no_commit_then")]


@pytest.mark.parametrize(
    ("minutes", "why"), [(2.5, "a gap"), (0.5, "before the first reading"), (59, "after the last")]
)
def test_where_nobody_looked_the_plan_is_refused(scene: Scene, watched: Watched, minutes: float, why: str) -> None:
    watched.sweep(MINUTE)
    scene.kafka.fail("connect", KafkaUnavailable(reason="timed_out"))
    watched.sweep(MINUTE)
    watched.sweep(2 * MINUTE)
    request = ask(scene, minutes)
    problem = factories.trouble(request)
    told = (problem["code"], problem["facts"].get("why"))
    assert told in (("reset.nothing_remembered", None), ("reset.plan_refused", "not_known_then")), why
    assert request.state == "plan_failed"


def test_a_group_that_the_history_never_met_is_refused(scene: Scene, watched: Watched) -> None:
    request = ask(scene, 1)
    assert factories.trouble(request)["code"] == "reset.nothing_remembered"


def test_a_topic_made_again_since_the_moment_is_refused(scene: Scene, watched: Watched) -> None:
    watched.sweep(MINUTE)
    scene.kafka.add_topic("hello", 3)
    scene.kafka.set_committed(GROUP, {hello(0): factories.at(0)})
    watched.sweep(MINUTE)
    request = ask(scene, 1.5)
    assert factories.trouble(request)["facts"]["why"] == "topic_made_again"
