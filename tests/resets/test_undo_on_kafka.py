"""Deleting, restoring and undoing on a real broker, proved with Kafka's own tool."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from devtools.kafka.tools import Tools
from kafkaconsole.clusters import connections
from kafkaconsole.kafka.values import Committed, GroupId, Offset, TopicPartition
from kafkaconsole.resets import actions
from tests import factories
from tests.resets.kafka_scene import KafkaScene, kafka_scene

__all__ = ["kafka_scene"]

Make = Callable[[int], KafkaScene]


@pytest.mark.django_db
def test_commits_are_deleted_and_undone_with_text_and_epoch(kafka_scene: Make, kafka_one_tools: Tools) -> None:
    scene = kafka_scene(2)
    whole = Committed(Offset(2), "the application's own text", 0)
    with connections.offset_admin(scene.cluster.pk) as admin:
        admin.commit(GroupId(scene.group), {TopicPartition(scene.topic, 0): whole})
    request = scene.execute(scene.approved({"kind": "delete_offsets"}))
    assert (request.state, request.problem, scene.committed()) == ("applied", None, {})
    undoing = scene.plan(actions.undo(request=request, by=scene.cast.alice, reason="A mistake"))
    undone = scene.execute(factories.approve(undoing, scene.cast.bob))
    assert (undone.state, undone.problem) == ("applied", None)
    with connections.offset_admin(scene.cluster.pk) as admin:
        held = admin.committed([GroupId(scene.group)])[GroupId(scene.group)]
    assert held == {TopicPartition(scene.topic, 0): whole, TopicPartition(scene.topic, 1): Committed(Offset(0))}
    assert kafka_one_tools.described_offsets(scene.group) == {(scene.topic, 0): 2, (scene.topic, 1): 0}


@pytest.mark.django_db
def test_undoing_a_reset_that_made_the_commits_deletes_them(kafka_scene: Make) -> None:
    scene = kafka_scene(2)
    with connections.offset_admin(scene.cluster.pk) as admin:
        admin.delete_offsets(GroupId(scene.group), [TopicPartition(scene.topic, 1)])
    request = scene.execute(scene.approved({"kind": "to_earliest"}))
    assert scene.committed() == {0: 0, 1: 0}
    undoing = scene.plan(actions.undo(request=request, by=scene.cast.alice, reason="A mistake"))
    undone = scene.execute(factories.approve(undoing, scene.cast.bob))
    assert (undone.state, scene.committed()) == ("applied", {0: 3})
