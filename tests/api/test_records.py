"""The records of a plan through the API: listed, streamed, bounded, cancelled, and for whom."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.records import exporting
from kafkaconsole.records.models import ExportState, RecordExport
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.teams.models import Membership
from tests.api.calling import Api
from tests.fakes.kafka import FakeKafka
from tests.records.scene import Scene


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeKafka]:
    """A worker that reads as soon as someone waits: `hello` holds m1, bytes that are no text, m3."""
    kafka = FakeKafka()
    kafka.add_topic("hello", partitions=2)
    for value in (b"m1", b"\xff\x00", b"m3"):
        kafka.produce("hello", 0, value)

    def work(seconds: float) -> None:
        for export in RecordExport.objects.filter(state=ExportState.WAITING):
            exporting.export(export_id=export.pk, connect_records=kafka.connect_records)

    monkeypatch.setattr("kafkaconsole.api.waiting.rest", work)
    monkeypatch.setattr("kafkaconsole.records.streaming.rest", work)
    yield kafka


def test_the_first_records_are_listed(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, worker: FakeKafka
) -> None:
    shown = api(scene.alice).get(f"/requests/{planned.pk}/records?partition=0").json
    assert (shown["state"], shown["records_count"], shown["offsets_total"]) == ("done", 2, 2)
    assert shown["items"][0]["value"] == "m1"
    assert shown["items"][1]["value_base64"] == "/wA=" and "value" not in shown["items"][1]


def test_a_limit_is_told_as_bounded(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, worker: FakeKafka
) -> None:
    shown = api(scene.alice).get(f"/requests/{planned.pk}/records?limit=1&until=log_end").json
    assert (shown["state"], len(shown["items"])) == ("bounded", 1)
    assert shown["problem"]["facts"]["next"] == [["hello", 0, 1]]


def test_without_a_worker_it_says_that_it_waits_and_goes_on_later(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest
) -> None:
    caller = api(scene.alice)
    shown = caller.get(f"/requests/{planned.pk}/records?wait_s=0").json
    assert (shown["state"], shown["items"]) == ("waiting", [])
    again = caller.get(f"/requests/{planned.pk}/records?wait_s=0&export={shown['export']}").json
    assert again["export"] == shown["export"]
    assert RecordExport.objects.count() == 1


def test_the_file_streams_every_record(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, worker: FakeKafka
) -> None:
    answer = api(scene.alice).get(f"/requests/{planned.pk}/records.jsonl?until=log_end")
    assert answer.headers["Content-Type"].startswith("application/jsonl")
    assert [json.loads(line)["offset"] for line in answer.text.splitlines()] == [0, 1, 2]


def test_a_bounded_file_ends_in_a_notice(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, worker: FakeKafka
) -> None:
    text = api(scene.alice).get(f"/requests/{planned.pk}/records.jsonl?limit=1").text
    assert json.loads(text.splitlines()[-1])["notice"]["code"] == "records.bounded"


@pytest.mark.django_db(transaction=True)  # closing a response closes its connection
def test_whoever_leaves_cancels_the_reading(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, worker: FakeKafka
) -> None:
    caller = api(scene.alice)
    number = caller.get(f"/requests/{planned.pk}/records").json["export"]
    RecordExport.objects.update(state=ExportState.READING)  # as if there were more to come
    path = f"/api/v1/requests/{planned.pk}/records.jsonl?export={number}"
    response: Any = Client().get(path, headers={"Authorization": f"Bearer {caller.token}"})
    assert b"m1" in next(part for part in response.streaming_content if part)
    response.close()
    assert RecordExport.objects.get().state == ExportState.CANCELLED


@pytest.mark.parametrize(("person", "status"), [("eve", 403), ("carol", 403), ("dave", 404)])
@pytest.mark.parametrize("path", ["records", "records.jsonl"])
def test_nobody_else_reads_messages(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, person: str, status: int, path: str
) -> None:
    assert api(getattr(scene, person)).get(f"/requests/{planned.pk}/{path}").status == status
    assert not RecordExport.objects.exists()


def test_every_look_is_recorded_without_contents(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, worker: FakeKafka
) -> None:
    api(scene.alice).get(f"/requests/{planned.pk}/records.jsonl")
    verbs = list(
        AuditEvent.objects.filter(verb__startswith="records.").order_by("number").values_list("verb", flat=True)
    )
    assert verbs == ["records.asked", "records.downloaded", "records.exported"]
    assert "m1" not in str(list(AuditEvent.objects.values_list("facts", flat=True)))


@pytest.mark.parametrize("path", ["records", "records.jsonl"])
def test_whoever_left_the_team_reads_no_messages_of_an_earlier_export(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, worker: FakeKafka, path: str
) -> None:
    caller = api(scene.alice)
    number = caller.get(f"/requests/{planned.pk}/records").json["export"]
    Membership.objects.filter(user=scene.alice).delete()
    answer = caller.get(f"/requests/{planned.pk}/{path}?export={number}")
    assert (answer.status, answer.code) == (403, "console.not_allowed")
    assert "m1" not in answer.text


def test_an_export_of_someone_else_or_of_another_request_is_404(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest
) -> None:
    number = api(scene.alice).get(f"/requests/{planned.pk}/records?wait_s=0").json["export"]
    assert api(scene.amir).get(f"/requests/{planned.pk}/records?export={number}&wait_s=0").status == 404
    assert api(scene.alice).get(f"/requests/{planned.pk}/records?export=999&wait_s=0").status == 404


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=201", "partition=-1", "partition=7", "topic=other", "until=now", "export=0", "wait_s=21"],
)
def test_a_bad_question_is_422(scene: Scene, api: Callable[..., Api], planned: ResetRequest, query: str) -> None:
    assert api(scene.alice).get(f"/requests/{planned.pk}/records?{query}").status == 422
