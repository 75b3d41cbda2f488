"""How a group reads on after a reset of many partitions, as the request's page tells it."""

from __future__ import annotations

import pytest

from kafkaconsole.history import sweeping
from kafkaconsole.kafka.values import Offset, TopicPartition
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.pages.progress import SHOWN_PARTITIONS, CatchUp, catch_up_of
from tests import factories
from tests.factories import GROUP
from tests.scene import Scene

WIDE = SHOWN_PARTITIONS + 10
LOG_END = 1000


@pytest.fixture
def applied(scene: Scene) -> ResetRequest:
    """The group was put to the start of every partition of two topics and has read one offset more on each next one."""
    for topic in ("wide", "narrow"):
        scene.kafka.add_topic(topic, WIDE if topic == "wide" else 1)
        for number in range(WIDE if topic == "wide" else 1):
            scene.kafka.log(topic, number).log_end = Offset(LOG_END)
            scene.kafka.set_committed(GROUP, {TopicPartition(topic, number): factories.at(5)})
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    change = factories.make_change(scope={"topics": [{"topic": "wide"}, {"topic": "narrow"}]})
    request = factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka)
    done = factories.execute(factories.approve(request, scene.cast.bob), scene.kafka)
    for number in range(WIDE):
        scene.kafka.set_committed(GROUP, {TopicPartition("wide", number): factories.at(number)})
    return done


def seen(scene: Scene, request: ResetRequest) -> CatchUp:
    found = catch_up_of(scene.cast.bob, request, request.attempts.first())
    assert found is not None
    return found


def test_nothing_is_told_of_a_time_before_the_reset(scene: Scene, applied: ResetRequest) -> None:
    assert seen(scene, applied) == CatchUp([], WIDE + 1, None, None)


def test_the_partitions_with_the_most_lag_are_shown_and_all_of_them_counted(
    scene: Scene, applied: ResetRequest
) -> None:
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    found = seen(scene, applied)
    assert found.partitions == WIDE + 1
    assert found.lag == LOG_END + sum(LOG_END - number for number in range(WIDE))
    assert [(one.topic, one.partition) for one in found.lines[:3]] == [("narrow", 0), ("wide", 0), ("wide", 1)]
    assert [one.lag for one in found.lines] == [LOG_END, *(LOG_END - number for number in range(SHOWN_PARTITIONS - 1))]


def test_the_lag_is_not_told_where_one_partition_was_not_measured_again(scene: Scene, applied: ResetRequest) -> None:
    scene.kafka.remove_topic("narrow")
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    found = seen(scene, applied)
    assert found.lag is None
    assert {one.topic for one in found.lines} == {"wide"}


def test_partitions_that_were_not_reset_are_not_counted(scene: Scene) -> None:
    scene.kafka.add_topic("wide", 3)
    for number in range(3):
        scene.kafka.log("wide", number).log_end = Offset(LOG_END)
        scene.kafka.set_committed(GROUP, {TopicPartition("wide", number): factories.at(5)})
    change = factories.make_change(scope={"topics": [{"topic": "wide", "partitions": [0, 2]}]})
    request = factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka)
    done = factories.execute(factories.approve(request, scene.cast.bob), scene.kafka)
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    found = seen(scene, done)
    assert ([one.partition for one in found.lines], found.partitions, found.lag) == ([0, 2], 2, 2 * LOG_END)
