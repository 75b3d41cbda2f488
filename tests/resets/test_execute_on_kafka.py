"""Planning and executing on a real broker: the same life, the offsets proved with Kafka's own tool."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from confluent_kafka import Consumer, TopicPartition
from django.utils import timezone
from pytest_django import Settings

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.tools import Tools
from devtools.kafka.waiting import comes_true
from kafkaconsole.clusters import connections
from kafkaconsole.kafka.errors import KafkaUnavailable
from kafkaconsole.kafka.port import OffsetAdmin
from kafkaconsole.kafka.values import GroupId
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Attempt
from tests import factories
from tests.resets.kafka_scene import KafkaScene, kafka_scene

__all__ = ["kafka_scene"]

Make = Callable[[int], KafkaScene]

STRATEGIES: dict[str, tuple[dict[str, object], int]] = {
    "to_earliest": ({"kind": "to_earliest"}, 0),
    "to_latest": ({"kind": "to_latest"}, 3),
    "to_current": ({"kind": "to_current"}, 3),
    "to_offset": ({"kind": "to_offset", "offset": 2}, 2),
    "shift_by": ({"kind": "shift_by", "by": -1}, 2),
    "by_duration": ({"kind": "by_duration", "duration": "PT1H"}, 0),
    "to_datetime": ({"kind": "to_datetime", "datetime": "2001-01-01T00:00:00Z"}, 0),
}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", STRATEGIES)
def test_each_strategy_is_applied_and_kafkas_own_tool_agrees(
    kafka_scene: Make, kafka_one_tools: Tools, kind: str
) -> None:
    scene = kafka_scene(1)
    strategy, target = STRATEGIES[kind]
    request = scene.execute(scene.approved(strategy))
    assert (request.state, request.problem) == ("applied", None)
    assert scene.committed() == {0: target}
    assert kafka_one_tools.described_offsets(scene.group) == {(scene.topic, 0): target}


@pytest.mark.django_db
def test_a_live_member_lets_it_wait_and_is_named(kafka_scene: Make, kafka_one: LocalKafka) -> None:
    scene = kafka_scene(1)
    request = scene.approved()
    settings = {**kafka_one.client_settings(), "group.id": scene.group, "client.id": "orders-7"}
    consumer = Consumer({**settings, "enable.auto.commit": False, "session.timeout.ms": 6000})
    try:
        consumer.subscribe([scene.topic])
        assert comes_true(lambda: consumer.poll(0.2) is not None or bool(consumer.assignment()), limit=30)
        request = scene.execute(request)
        assert (request.state, factories.trouble(request)["code"]) == ("waiting", "reset.group_still_active")
        (member,) = factories.trouble(request)["facts"]["members"]
        assert member["client_id"] == "orders-7"
        assert scene.committed() == {0: 3}
    finally:
        consumer.close()
    assert comes_true(lambda: scene.execute(request).state == "applied", limit=30)
    assert scene.committed() == {0: 0}


@pytest.mark.django_db
def test_a_topic_made_again_makes_it_stale(kafka_scene: Make, kafka_one: LocalKafka) -> None:
    scene = kafka_scene(1)
    request = scene.approved()
    topics.delete_topic(kafka_one, scene.topic)
    topics.create_topic(kafka_one, scene.topic, partitions=1)
    topics.produce_values(kafka_one, scene.topic, "m1", "m2", "m3")
    request = scene.execute(request)
    assert request.state == "stale"
    assert {one["what"] for one in factories.trouble(request)["facts"]["differences"]} >= {"topic_id"}


@pytest.mark.django_db
def test_the_text_beside_a_commit_stays(kafka_scene: Make, kafka_one: LocalKafka) -> None:
    scene = kafka_scene(1)
    consumer = Consumer({**kafka_one.client_settings(), "group.id": scene.group, "enable.auto.commit": False})
    try:
        consumer.commit(offsets=[TopicPartition(scene.topic, 0, 2, metadata="by hand")], asynchronous=False)
    finally:
        consumer.close()
    request = scene.execute(scene.approved())
    assert request.state == "applied"
    result = factories.attempt_of(request).results.get()
    assert (result.before, result.after) == (2, 0)
    assert result.before_metadata.startswith("by hand")


class PausesAtTheWrite:
    """An admin client whose broker is stopped (SIGSTOP) right before the commit is sent, and goes on 20 s later."""

    def __init__(self, admin: OffsetAdmin, kafka: LocalKafka) -> None:
        self._admin = admin
        self._kafka = kafka

    def __getattr__(self, name: str) -> Any:
        return getattr(self._admin, name)

    def commit(self, group: GroupId, targets: Any, **told: Any) -> Any:
        """Stop the broker, then send."""
        self._kafka.pause_node(1)
        timer = threading.Timer(20, self._kafka.resume_node, [1])
        timer.daemon = True
        timer.start()
        return self._admin.commit(group, targets, **told)


@pytest.mark.django_db
def test_a_broker_that_stops_at_the_write_is_waited_for_and_settled(
    kafka_scene: Make, breakable_one: LocalKafka, settings: Settings
) -> None:
    settings.SETTLE_PAUSE = timedelta(seconds=2)
    scene = kafka_scene(1)
    request = scene.approved()
    clients = iter(range(100))

    @contextmanager
    def connect(cluster_pk: int) -> Iterator[Any]:
        with connections.offset_admin(cluster_pk) as admin:
            yield PausesAtTheWrite(admin, breakable_one) if next(clients) == 0 else admin

    actions.execute(request_id=request.pk, connect=connect)
    request.refresh_from_db()
    assert request.state == "applied"
    assert scene.committed() == {0: 0}


class LosesItsAnswers:
    """An admin client whose commit is never answered, and never arrives; then a consumer of the group commits."""

    def __init__(self, admin: OffsetAdmin, happens: Callable[[], None]) -> None:
        self._admin = admin
        self._happens = happens

    def __getattr__(self, name: str) -> Any:
        return getattr(self._admin, name)

    def commit(self, group: GroupId, targets: Any, **told: Any) -> Any:
        """Nothing is sent, as far as anyone knows."""
        self._happens()
        raise KafkaUnavailable(reason="timed_out")


@pytest.mark.django_db
def test_a_group_that_read_on_before_it_was_certain_ends_with_what_was_found(
    kafka_scene: Make, settings: Settings
) -> None:
    settings.LATE_WRITE = timedelta(seconds=3)
    scene = kafka_scene(2)  # one partition with records, one empty
    request = scene.approved()
    clients = iter(range(100))

    @contextmanager
    def connect(cluster_pk: int) -> Iterator[Any]:
        with connections.offset_admin(cluster_pk) as admin:
            lost = LosesItsAnswers(admin, lambda: scene.commit(2, 1))
            yield lost if next(clients) == 0 else admin

    actions.execute(request_id=request.pk, connect=connect)
    request.refresh_from_db()
    assert request.state == "uncertain"
    attempt = factories.attempt_of(request)

    def is_over() -> bool:
        Attempt.objects.filter(pk=attempt.pk).update(lease_until=timezone.now())
        actions.settle(attempt_id=attempt.pk, connect=connect)
        request.refresh_from_db()
        return request.state != "uncertain"

    assert comes_true(is_over, limit=60, every=0.5)
    assert request.state == "partly_applied"
    first, empty = attempt.results.order_by("partition")
    assert (first.state, factories.trouble(first)["code"], first.after) == ("failed", "reset.found_another", 2)
    assert (empty.state, empty.after) == ("done", 0)  # it stood where the plan wants it
    assert scene.committed() == {0: 2, 1: 0}
    assert scene.execute(scene.approved()).state == "applied"
    assert scene.committed() == {0: 0, 1: 0}
