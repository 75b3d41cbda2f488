"""Batches by script: made whole, read, and signed with a verdict for each plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Batch, ResetRequest
from tests.api.calling import Api
from tests.fakes.kafka import FakeKafka
from tests.records.scene import Scene, change_json

NAMES = ("billing", "billing-mails")
BODY = {"changes": [change_json(group=name) for name in NAMES], "reason": "Wrong prices"}


@pytest.fixture
def kafka() -> FakeKafka:
    """Both groups have read topic `hello` to its end."""
    kafka = FakeKafka()
    kafka.add_topic("hello")
    kafka.produce("hello", 0, b"m1")
    for name in NAMES:
        kafka.set_committed(name, {TopicPartition("hello", 0): Committed(Offset(1))})
    return kafka


def planned(scene: Scene, api: Callable[..., Api], kafka: FakeKafka) -> dict[str, Any]:
    """A batch of Alice's, planned, as Bob reads it."""
    made = api(scene.alice).post("/batches", BODY)
    assert made.status == 201, made.text
    for row in ResetRequest.objects.all():
        actions.make_plan(request_id=row.pk, connect=kafka.connect, connect_records=kafka.connect_records)
    shown: dict[str, Any] = api(scene.bob).get(f"/batches/{made.json['id']}").json
    return shown


def test_a_batch_is_made_and_read(scene: Scene, api: Callable[..., Api], kafka: FakeKafka) -> None:
    shown = planned(scene, api, kafka)
    assert (shown["by"], shown["reason"], shown["unseen"]) == ("alice", "Wrong prices", 0)
    assert [(one["group"], one["state"], one["batch"]) for one in shown["requests"]] == [
        (name, "planned", shown["id"]) for name in NAMES
    ]


def test_each_digest_gets_a_verdict(scene: Scene, api: Callable[..., Api], kafka: FakeKafka) -> None:
    shown = planned(scene, api, kafka)
    first, second = shown["requests"]
    digests = {str(first["id"]): first["digest"], str(second["id"]): "0" * 64}
    answer = api(scene.bob).post(f"/batches/{shown['id']}/approve", {"digests": digests, "comment": "Checked"})
    assert answer.status == 200, answer.text
    signed, refused = answer.json["verdicts"]
    assert signed == {"request": first["id"], "signed": True, "problem": None}
    assert (refused["signed"], refused["problem"]["code"]) == (False, "approval.digest_outdated")
    assert [one["state"] for one in answer.json["batch"]["requests"]] == ["approved", "planned"]


def test_the_same_key_makes_one_batch(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    first, again = (caller.post("/batches", BODY, Idempotency_Key="once") for _ in range(2))
    assert first.json["id"] == again.json["id"]
    assert Batch.objects.count() == 1


def test_one_bad_change_makes_none(scene: Scene, api: Callable[..., Api]) -> None:
    for changes in ([change_json()], [change_json(), change_json()], [change_json(), change_json(kind="nothing")]):
        assert api(scene.alice).post("/batches", {**BODY, "changes": changes}).status == 422
    foreign = [change_json(), change_json(group="search-x")]
    assert api(scene.alice).post("/batches", {**BODY, "changes": foreign}).status == 403
    assert not ResetRequest.objects.exists()


def test_the_wrong_people_are_refused(scene: Scene, api: Callable[..., Api], kafka: FakeKafka) -> None:
    shown = planned(scene, api, kafka)
    path = f"/batches/{shown['id']}"
    digests = {str(one["id"]): one["digest"] for one in shown["requests"]}
    assert api(scene.dave).get(path).status == 404
    assert api(scene.dave).post(f"{path}/approve", {"digests": digests}).status == 404
    own = api(scene.alice).post(f"{path}/approve", {"digests": digests})
    assert {one["signed"] for one in own.json["verdicts"]} == {False}
    assert api(scene.bob).post(f"{path}/approve", {"digests": {"999": "0" * 64}}).status == 422
