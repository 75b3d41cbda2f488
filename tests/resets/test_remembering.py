"""What our history tells a plan of a group and its topics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine

from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets.change import parse_change
from kafkaconsole.resets.facts import Seen
from kafkaconsole.resets.remembering import recall
from kafkaconsole.resets.states import State
from tests import factories
from tests.factories import hello
from tests.history.scene import NOON, Watched
from tests.scene import Scene

GROUP = factories.GROUP
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def watched(scene: Scene) -> Iterator[Watched]:
    """The scene's cluster under observation, read at 12:01; the clock of plans follows."""
    watched = Watched(cluster=scene.cluster, kafka=scene.kafka)
    with time_machine.travel(NOON, tick=False):
        watched.sweep(MINUTE)
        yield watched


def seen(watched: Watched) -> Seen:
    """What a plan made right after the last reading is told."""
    with time_machine.travel(watched.clock.at, tick=False):
        return recall(parse_change(factories.make_change()), watched.cluster.pk).seen


def test_a_group_has_been_empty_at_least_since_it_was_first_seen(watched: Watched) -> None:
    first = watched.group(GROUP).first_seen_at
    assert seen(watched).empty_since == first
    watched.kafka.join(GROUP, topics=["hello"])
    watched.sweep()
    assert seen(watched).empty_since is None
    watched.kafka.leave(GROUP)
    watched.sweep()
    assert seen(watched).empty_since == watched.group(GROUP).state_since


def test_commits_that_move_while_the_group_is_empty_are_seen(watched: Watched) -> None:
    watched.sweep()
    assert seen(watched).moved_while_empty == {}
    watched.kafka.set_committed(GROUP, {hello(0): factories.at(1)})
    watched.sweep()
    assert list(seen(watched).moved_while_empty) == ["hello"]


def test_commits_of_members_and_of_our_own_resets_are_no_such_movement(scene: Scene, watched: Watched) -> None:
    watched.kafka.join(GROUP, topics=["hello"])
    watched.sweep()
    watched.kafka.set_committed(GROUP, {hello(0): factories.at(2)})
    watched.kafka.leave(GROUP)
    watched.sweep()
    assert seen(watched).moved_while_empty == {}
    with time_machine.travel(watched.clock.at + timedelta(seconds=1), tick=False):
        factories.request_in(State.APPLIED, scene.cast, scene.kafka)
    watched.sweep()
    assert seen(watched).moved_while_empty == {}
    watched.kafka.set_committed(GROUP, {hello(0): factories.at(1)})
    watched.sweep()
    assert list(seen(watched).moved_while_empty) == ["hello"]


def test_a_topic_made_again_is_seen_with_since_when(watched: Watched) -> None:
    before = seen(watched)
    assert before.made_again == {} and before.topic_ids["hello"] == watched.kafka.topic_map["hello"].topic_id
    watched.kafka.add_topic("hello", 3)
    watched.kafka.set_committed(GROUP, {hello(0): factories.at(0)})
    watched.sweep()
    after = seen(watched)
    assert list(after.made_again) == ["hello"] and after.topic_ids["hello"] == watched.kafka.topic_map["hello"].topic_id
    watched.sweep(timedelta(days=8))
    assert seen(watched).made_again == {}


def test_how_many_partitions_there_were_and_where_logs_began_is_told(watched: Watched) -> None:
    watched.sweep(HOUR)
    watched.kafka.add_partitions("hello", 5)
    watched.kafka.delete_records("hello", 0, before=2)
    watched.sweep(HOUR)
    found = seen(watched)
    count, _ = found.partitions_before["hello"]
    start = found.log_starts[TopicPartition("hello", 0)]
    assert (count, start.offset) == (3, 0) and start.at < watched.clock.at - HOUR


def test_a_group_that_was_never_measured_is_told_nothing_of(scene: Scene) -> None:
    assert recall(parse_change(factories.make_change()), scene.cluster.pk).seen == Seen()
