"""Previews and requests: made, listed, waited for, each as the wrong person too."""

from __future__ import annotations

import csv
import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Preview, ResetRequest
from kafkaconsole.resets.states import State
from tests.api.calling import Api
from tests.fakes.kafka import FakeKafka
from tests.records.scene import Scene, change_json

REQUEST = {**change_json(), "reason": "Read the invoices again", "ticket": "PAY-7"}


@pytest.fixture
def kafka() -> FakeKafka:
    """Topic `hello` with three records; group `billing` has read them and stopped."""
    from kafkaconsole.kafka.values import Committed, Offset, TopicPartition

    kafka = FakeKafka()
    kafka.add_topic("hello")
    for value in (b"m1", b"m2", b"m3"):
        kafka.produce("hello", 0, value)
    kafka.set_committed("billing", {TopicPartition("hello", 0): Committed(Offset(3))})
    return kafka


def plan(made: dict[str, Any], kafka: FakeKafka) -> None:
    actions.make_plan(request_id=made["id"], connect=kafka.connect, connect_records=kafka.connect_records)


def test_a_preview_is_planned_by_a_worker_and_shown_whole(
    scene: Scene, api: Callable[..., Api], kafka: FakeKafka
) -> None:
    caller = api(scene.alice)
    asked = caller.post("/previews", change_json())
    assert (asked.status, asked.json["state"]) == (202, "planning")
    assert asked.headers["Location"] == asked.json["url"]
    actions.make_preview(preview_id=asked.json["id"], connect=kafka.connect, connect_records=kafka.connect_records)
    shown = caller.get(f"/previews/{asked.json['id']}?wait_s=1").json
    assert (shown["state"], shown["problem"]) == ("planned", None)
    plan = shown["plan"]
    assert plan["totals"] == {"partitions": 1, "changed": 1, "replayed": 3, "skipped": 0}
    [line] = plan["lines"]
    assert (line["committed"], line["target"], line["action"], line["replayed"]) == (3, 0, "set", 3)
    assert len(plan["digest"]) == 64
    text = caller.get(f"/previews/{asked.json['id']}/plan.csv").text
    assert list(csv.reader(text.splitlines()))[-1] == ["hello", "0", "0"]
    assert kafka.commits == []


def test_a_preview_that_fails_says_why_as_a_problem(scene: Scene, api: Callable[..., Api], kafka: FakeKafka) -> None:
    caller = api(scene.alice)
    asked = caller.post("/previews", change_json(topic="helo"))
    actions.make_preview(preview_id=asked.json["id"], connect=kafka.connect, connect_records=kafka.connect_records)
    shown = caller.get(f"/previews/{asked.json['id']}").json
    assert shown["state"] == "plan_failed"
    assert shown["problem"]["code"] == "reset.topic_missing"
    assert "hello" in shown["problem"]["detail"]


def test_a_preview_is_seen_by_whoever_asked_alone(scene: Scene, api: Callable[..., Api]) -> None:
    made = api(scene.alice).post("/previews", change_json()).json
    assert api(scene.amir).get(f"/previews/{made['id']}").status == 404
    assert api(scene.alice).get(f"/previews/{uuid.uuid4()}").status == 404
    assert api(scene.alice).get(f"/previews/{made['id']}/plan.csv").status == 404


@pytest.mark.parametrize("person", ["dave", "eve", "carol"])
def test_only_the_owning_team_asks(scene: Scene, api: Callable[..., Api], person: str) -> None:
    caller = api(getattr(scene, person))
    for path, body in (("/previews", change_json()), ("/requests", REQUEST)):
        answer = caller.post(path, body)
        assert (answer.status, answer.code) == (403, "console.not_allowed")
    assert not ResetRequest.objects.exists() and not Preview.objects.exists()


def test_a_request_is_made_and_planned(scene: Scene, api: Callable[..., Api], kafka: FakeKafka) -> None:
    caller = api(scene.alice)
    made = caller.post("/requests", {**REQUEST, "expires_at": "2999-01-01T00:00:00Z"})
    assert made.status == 201
    assert made.headers["Location"] == f"/api/v1/requests/{made.json['id']}"
    assert (made.json["state"], made.json["plan"], made.json["digest"]) == ("planning", None, None)
    assert made.json["expires_at"] == "2999-01-01T00:00:00.000Z"
    plan(made.json, kafka)
    shown = caller.get(f"/requests/{made.json['id']}?wait_s=5").json
    assert (shown["state"], shown["requester"], shown["team"]) == ("planned", "alice", "billing")
    assert shown["digest"] == shown["plan"]["digest"]
    assert shown["policy"]["needed"] == 1 and shown["policy"]["given"] == 0
    assert [one["verb"] for one in shown["events"]][:1] == ["reset.requested"]
    assert (shown["follow_up"], shown["undo_of"], shown["ticket"]) == (None, None, "PAY-7")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"reason": ""}, "reason"),
        ({"reason": " \n "}, "reason"),
        ({"ticket": "x" * 121}, "ticket"),
        ({"expires_at": "2001-01-01T00:00:00Z"}, "expires_at"),
        ({"not_before": "tomorrow"}, "not_before"),
        ({"not_before": 1764547200}, "not_before"),
        ({"cluster": "moon"}, "cluster"),
        ({"scope": {"topics": []}}, "scope.topics"),
        ({"scope": {}}, "scope"),
        ({"strategy": {"kind": "restore"}}, "strategy.as_of"),
        ({"strategy": {"kind": "rewind"}}, "strategy.kind"),
        ({"rules": {"no_commit": "guess"}}, "rules.no_commit"),
        ({"create_group": "yes"}, "create_group"),
        ({"group": ""}, "group"),
        ({"group": "x" * 600}, "group"),
    ],
)
def test_a_bad_request_names_its_field_and_makes_nothing(
    scene: Scene, api: Callable[..., Api], change: dict[str, Any], field: str
) -> None:
    answer = api(scene.alice).post("/requests", {**REQUEST, **change})
    assert answer.status == 422, answer.text
    facts = answer.json["facts"]
    assert field in {facts.get("field"), *(one["field"] for one in facts.get("problems", ()))}
    assert not ResetRequest.objects.exists()


def test_requests_are_filtered_and_outsiders_see_none(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest
) -> None:
    listed = api(scene.bob).get("/requests?state=planned&waiting_for_me=true&team=billing&requester=alice").json
    assert [one["id"] for one in listed["items"]] == [planned.pk]
    assert "lines" not in listed["items"][0]
    assert api(scene.alice).get("/requests?waiting_for_me=true").json["items"] == []
    assert api(scene.dave).get("/requests").json["items"] == []
    assert len(api(scene.eve).get("/requests").json["items"]) == 1


@pytest.mark.django_db(transaction=True)
def test_waiting_ends_when_the_state_is_reached(scene: Scene, api: Callable[..., Api], kafka: FakeKafka) -> None:
    caller = api(scene.alice)
    made = caller.post("/requests", REQUEST).json
    worker = threading.Timer(0.5, plan, (made, kafka))
    worker.start()
    assert caller.get(f"/requests/{made['id']}?wait_s=20&until=planned").json["state"] == "planned"
    worker.join()


def test_waiting_ends_with_the_time_or_in_a_state_that_never_changes(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest
) -> None:
    assert api(scene.alice).get(f"/requests/{planned.pk}?wait_s=0.3&until=applied").json["state"] == "planned"
    ResetRequest.objects.filter(pk=planned.pk).update(state=State.CANCELLED)
    assert api(scene.alice).get(f"/requests/{planned.pk}?wait_s=20&until=applied").json["state"] == "cancelled"
    assert api(scene.alice).get(f"/requests/{planned.pk}?wait_s=21").status == 422


def test_the_plan_as_a_file_has_the_lines_that_are_set(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest
) -> None:
    answer = api(scene.alice).get(f"/requests/{planned.pk}/plan.csv")
    assert answer.headers["Content-Type"].startswith("text/csv")
    rows = [row for row in csv.reader(answer.text.splitlines()) if row[0] == "hello"]
    assert rows == [["hello", "0", "0"]]
    assert api(scene.dave).get(f"/requests/{planned.pk}/plan.csv").status == 404
