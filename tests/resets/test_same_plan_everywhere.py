"""The plan of every strategy is reproducible: the same facts give the same digest on any database, and the preview, the
page, the API, the mail and the audit record show the same one. The digests are written down here, so that a run on SQLite and
one on PostgreSQL are held to the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import Scope
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.notifications import mailing
from kafkaconsole.notifications.models import Message
from kafkaconsole.notifications.topics import Topic
from kafkaconsole.resets import actions, queries, storing
from kafkaconsole.resets.change import parse_change
from kafkaconsole.resets.digest import digest_of
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.strategies import STRATEGIES
from tests import factories
from tests.api.calling import Api
from tests.factories import GROUP, hello
from tests.history.scene import NOON, Watched
from tests.scene import Scene

NOW = NOON + timedelta(hours=1)

ASKED: dict[str, tuple[dict[str, object], str]] = {
    "to_earliest": ({}, "935ebb8a96fd54f40075fa3efb5479e4aeb7219e9d99fccf7948d02fdd32b3af"),
    "to_latest": ({}, "d247906aac42ce80ffe88ca62072d5adbf782c800b1acf8f37ed07d72d19f622"),
    "to_current": ({}, "5fb70d0e86ef97f79cbec62aab364eb8abadd428952cbf78d2378c54cab91527"),
    "to_offset": ({"offset": 5}, "7caacec50220936a4ac59fc0c6d4774485659bcd637275187b18ce5d226e6102"),
    "shift_by": ({"by": -2}, "b5306fc6a39870588cbe56443505b8995cf97cdf3c4761aba5ca30639da8a098"),
    "by_duration": ({"duration": "PT1H30M"}, "8e0b6c598f0386f6d8b2895c11b7ddb80eabef2066045bd9b821ead4ae92d414"),
    "to_datetime": (
        {"datetime": "2026-12-01T20:30", "timezone": "Asia/Seoul"},
        "f919292d9389f3b40ca61b25e8c36cbf4d8348c314f565e6dfc63defb59c6b25",
    ),
    "from_file": (
        {"csv": "hello,0,1\nHello_2,2,3\n"},
        "84a0c010783f12c9c204a7128dabd6e88366e941d6e6e74a15090afe44dd2f8a",
    ),
    "copy_group": ({"from_group": "billing-other"}, "c5e72e14c269ca8cd57c73da3ff30cd135d568e6aa94702b2797d04c4fedfb1d"),
    "restore": ({"as_of": "2026-12-01T12:01:30Z"}, "0b7fc6f0a87321a7f582927364e187ea5d26ee7e2c724de0b2b4fde1b2ef412c"),
    "delete_offsets": ({}, "f906fee8910db4615459ad9c19582fbe24f2e284afa5b677f5bf406caaa3f8bd"),
}
"""Each strategy, the fields it is asked with, and the digest of its plan."""


@pytest.fixture
def awkward(scene: Scene) -> Iterator[Scene]:
    """A text beside a commit, a partition without one, one that lost records, names that no alphabet sorts alike; the clock stands still."""
    kafka = scene.kafka
    for topic, topic_id in (("hello", "AAAAAAAAAAAAAAAAAAAAAQ"), ("Hello_2", "AAAAAAAAAAAAAAAAAAAA-_")):
        kafka.add_topic(topic, 3)
        kafka.topic_map[topic].topic_id = topic_id
        for partition in range(3):
            for minute in range(0, 90, 10):
                kafka.produce(topic, partition, b"m", at=NOON - timedelta(minutes=60 - minute))
    kafka.delete_records("hello", 2, before=4)
    text = "grüße \\ \0"
    kafka.set_committed(
        GROUP, {hello(0): Committed(Offset(3), text, 7), hello(2): Committed(Offset(2**53 + 1), "", None)}
    )
    kafka.set_committed("billing-other", {hello(0): factories.at(5), TopicPartition("Hello_2", 1): factories.at(2)})
    with time_machine.travel(NOW, tick=False):
        watched = Watched(cluster=scene.cluster, kafka=kafka)
        watched.sweep(timedelta(minutes=1))
        watched.sweep(timedelta(minutes=1))
        yield scene


def change_of(kind: str) -> dict[str, object]:
    """A change of both topics, where the strategy can tell of both."""
    topics: list[dict[str, object]] = [{"topic": "hello"}, {"topic": "Hello_2", "partitions": [0, 1]}]
    rules = {"no_commit": "leave"} if kind in ("to_current", "shift_by") else {}
    scope = None if kind == "from_file" else {"topics": topics[:1] if kind == "restore" else topics}
    return factories.make_change(strategy={"kind": kind, **ASKED[kind][0]}, scope=scope, rules=rules)


def test_every_strategy_has_its_digest_here() -> None:
    assert ASKED.keys() == STRATEGIES.keys()


@pytest.mark.parametrize("kind", ASKED)
def test_the_same_facts_give_the_same_digest_wherever_it_is_shown(awkward: Scene, client: Client, kind: str) -> None:
    scene = awkward
    request = factories.plan(factories.ask(scene.cast.alice, change=change_of(kind)), scene.kafka)
    assert request.state == "planned", request.problem
    plan = request.the_plan
    shown = {
        "request": request.plan_digest,
        "plan": plan.digest,
        "rows": digest_of(parse_change(plan.change), plan.kafka_cluster_id, storing.lines_of(plan)),
        "preview": preview_of(scene, kind),
        "audit": AuditEvent.objects.get(verb="reset.planned").facts["digest"],
        "page": on_the_page(client, scene, request),
        "api": by_the_api(scene, request),
        "mail": in_the_mail(scene, request),
    }
    assert shown == dict.fromkeys(shown, ASKED[kind][1])


def preview_of(scene: Scene, kind: str) -> str:
    """A plan of the same change without a request."""
    made = actions.preview(by=scene.cast.alice, change_json=change_of(kind))
    actions.make_preview(preview_id=made.pk, connect=scene.kafka.connect, connect_records=scene.kafka.connect_records)
    plan = queries.preview_for(scene.cast.alice, made.pk).plan
    assert plan is not None
    return plan.digest


def on_the_page(client: Client, scene: Scene, request: ResetRequest) -> str:
    """What an approver sees, and what the button sends back: one and the same."""
    client.force_login(scene.cast.bob)
    html = client.get(f"/requests/{request.pk}").content.decode()
    (copied,) = set(re.findall(r'data-copies="([0-9a-f]{64})"', html))
    (sent,) = set(re.findall(r'name="digest" value="([0-9a-f]{64})"', html))
    assert copied == sent
    return str(sent)


def in_the_mail(scene: Scene, request: ResetRequest) -> str:
    """What an approver gets, as text and as HTML."""
    mail = mailing.compose(scene.cast.bob, [Message(pk=1, request=request, topic=Topic.REMINDER, since=NOW)])
    texts = (str(mail.body), str(mail.alternatives[0][0]))
    (digest,) = {found for text in texts for found in re.findall(r"\b[0-9a-f]{64}\b", text)}
    return str(digest)


def by_the_api(scene: Scene, request: ResetRequest) -> str:
    """What a script reads."""
    _, token = tokens.create(scene.cast.bob, "t", [Scope.READ], NOW + timedelta(hours=1), by=scene.cast.bob)
    return str(Api(token).get(f"/requests/{request.pk}").json["plan"]["digest"])
