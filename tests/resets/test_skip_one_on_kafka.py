"""A poison message on a real broker: looked at, planned past, signed, and passed on its partition alone."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.test import Client

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from kafkaconsole.clusters import connections
from kafkaconsole.history.sweeping import sweep
from kafkaconsole.records import look_actions, looking
from kafkaconsole.resets.models import ResetRequest
from tests import factories
from tests.resets.kafka_scene import KafkaScene, kafka_scene

__all__ = ["kafka_scene"]


def test_one_record_is_seen_and_passed_on_its_partition_alone(
    kafka_scene: Callable[[int], KafkaScene], kafka_one: LocalKafka, client: Client
) -> None:
    scene = kafka_scene(2)
    poison = topics.Record(b"\xff not json", key=b"order-7", headers=(("origin", b"shop"),))
    topics.produce(kafka_one, scene.topic, [poison, topics.Record(b"fine")])
    assert sweep(scene.cluster.pk, connections.offset_admin).outcome in ("ok", "partial")
    client.force_login(scene.cast.alice)
    place = look_actions.Place(scene.topic, 0, 3, before=1, after=2)
    look = look_actions.look_at_group(
        cluster=scene.cluster, group_name=scene.group, by=scene.cast.alice, place=place, for_skip=True
    )
    looking.look(look_id=look.pk, connect_records=connections.record_reader)
    html = client.get(f"/looks/{look.pk}").content.decode()
    assert "order-7" in html and "origin" in html and "not json" in html
    assert "The next record that it would read is <b>3</b>; past it, it goes on at 4" in html
    form = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', html))
    client.post("/requests/new", form | {"do": "request", "reason": "Skip the record that is no JSON"})
    request = scene.plan(ResetRequest.objects.get())
    (line,) = request.the_plan.lines.all()
    assert (line.partition, line.committed, line.target, line.skipped) == (0, 3, 4, 1)
    assert scene.execute(factories.approve(request, scene.cast.bob)).state == "applied"
    assert scene.committed() == {0: 4, 1: 0}
