"""The records panel of a request: the form, the progress, the list, the download, and for whom."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from kafkaconsole.records import exporting
from kafkaconsole.records.forms import MOST_OFFERED
from kafkaconsole.records.models import ExportState, RecordExport
from kafkaconsole.resets.models import ResetRequest
from tests.fakes.kafka import FakeKafka
from tests.nudges import Sent
from tests.records.scene import Scene, line, make_request

ASK = {"until": "log_end", "place": "all", "limit": "100"}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def alice(client: Client, scene: Scene) -> Client:
    client.force_login(scene.alice)
    return client


def path(reset: ResetRequest, rest: str = "") -> str:
    return f"/requests/{reset.pk}/records{rest}"


def read(kafka: FakeKafka) -> None:
    exporting.export(export_id=RecordExport.objects.get().pk, connect_records=kafka.connect_records)


def test_the_panel_offers_the_form_and_then_follows_the_reading(
    alice: Client, reset: ResetRequest, kafka: FakeKafka, sent: Sent
) -> None:
    assert "Read the records" in alice.get(path(reset), headers=HTMX).content.decode()
    asked: Any = alice.post(path(reset, "/ask"), ASK, headers=HTMX, follow=True)
    assert "every 2s" in asked.content.decode()
    read(kafka)
    shown = alice.get(path(reset), headers=HTMX).content.decode()
    assert "every 2s" not in shown
    assert "hello-0 @ 0" in shown and "m3" in shown and "Complete" in shown
    assert "m3" in shown[shown.index("<summary>") : shown.rindex("</summary>")], (
        "values are seen without opening anything"
    )
    assert "Read the list anew" in shown
    assert '<option value="log_end" selected>' in shown and 'value="100"' in shown, "what was asked stays chosen"


def test_without_a_script_the_panel_is_a_page(alice: Client, reset: ResetRequest) -> None:
    assert "<html" in alice.get(path(reset)).content.decode()


def test_contents_are_escaped(alice: Client, reset: ResetRequest, kafka: FakeKafka) -> None:
    kafka.add_topic("hello", partitions=2)
    kafka.produce("hello", 0, b"<script>alert(1)</script>", key=b"<b>")
    alice.post(path(reset, "/ask"), ASK)
    read(kafka)
    shown = alice.get(path(reset), headers=HTMX).content.decode()
    assert "<script>alert" not in shown and "&lt;script&gt;" in shown and "&lt;b&gt;" in shown


def test_the_file_is_downloaded_under_a_telling_name(alice: Client, reset: ResetRequest, kafka: FakeKafka) -> None:
    alice.post(path(reset, "/ask"), ASK)
    read(kafka)
    answer: Any = alice.get(path(reset, f"/{RecordExport.objects.get().pk}/download"))
    assert f"request-{reset.pk}-records-" in answer.headers["Content-Disposition"]
    assert b"".join(answer.streaming_content).count(b"\n") == 5


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"limit": "0"}, "greater than or equal to 1"),
        ({"limit": "1000001"}, "less than or equal to 1000000"),
        ({"limit": ""}, "required"),
        ({"place": "999"}, "Select a valid choice"),
        ({"until": "now"}, "Select a valid choice"),
    ],
)
def test_a_bad_question_keeps_what_was_typed_and_says_what_is_wrong(
    alice: Client, reset: ResetRequest, change: dict[str, str], told: str
) -> None:
    answer = alice.post(path(reset, "/ask"), {**ASK, **change}, headers=HTMX)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not RecordExport.objects.exists()


def test_one_partition_can_be_chosen(alice: Client, reset: ResetRequest) -> None:
    alice.post(path(reset, "/ask"), {**ASK, "place": "hello-1"})
    assert RecordExport.objects.get().spans == [["hello", 1, 0, 2]]


def test_partitions_of_a_long_plan_are_typed(alice: Client, scene: Scene) -> None:
    lines = [line("hello", number, target=0, committed=2, log_end=2) for number in range(MOST_OFFERED + 1)]
    long = make_request(scene, lines)
    assert "hello-7" not in alice.get(path(long), headers=HTMX).content.decode(), "ten thousand are not drawn"
    for bad in ("hello", "hello-999", "other-1", "hello--1", "7"):
        answer = alice.post(path(long, "/ask"), {**ASK, "place": bad}, headers=HTMX)
        assert answer.status_code == 422
        assert f"Found {bad}; expected" in answer.content.decode()
    alice.post(path(long, "/ask"), {**ASK, "place": "hello-7"})
    assert RecordExport.objects.get().spans == [["hello", 7, 0, 2]]


def test_a_plan_that_only_skips_says_so_beside_the_form(alice: Client, scene: Scene) -> None:
    skipping = make_request(scene, [line("hello", 0, target=3, committed=1, log_end=3)])
    answer = alice.post(path(skipping, "/ask"), {**ASK, "until": "committed"}, headers=HTMX)
    assert answer.status_code == 422
    assert "no offset to read" in answer.content.decode()


def test_cancelling_ends_it(alice: Client, reset: ResetRequest) -> None:
    alice.post(path(reset, "/ask"), ASK)
    alice.post(path(reset, f"/{RecordExport.objects.get().pk}/cancel"), headers=HTMX)
    assert RecordExport.objects.get().state == ExportState.CANCELLED


def test_others_get_a_reason_or_nothing(client: Client, scene: Scene, reset: ResetRequest, alice: Client) -> None:
    alice.post(path(reset, "/ask"), ASK)
    number = RecordExport.objects.get().pk
    client.force_login(scene.eve)
    assert "Only people of the team Billing" in client.get(path(reset), headers=HTMX).content.decode()
    assert client.post(path(reset, "/ask"), ASK).status_code == 403
    for person in (scene.amir, scene.eve, scene.dave):
        client.force_login(person)
        assert client.get(path(reset, f"/{number}/download")).status_code == 404
        assert client.post(path(reset, f"/{number}/cancel")).status_code == 404
    client.force_login(scene.dave)
    assert client.get(path(reset)).status_code == 404
    client.logout()
    assert client.get(path(reset)).status_code == 302


def test_a_right_that_was_withdrawn_closes_the_download(alice: Client, reset: ResetRequest, scene: Scene) -> None:
    alice.post(path(reset, "/ask"), ASK)
    scene.billing.memberships.filter(user=scene.alice).delete()
    answer = alice.get(path(reset, f"/{RecordExport.objects.get().pk}/download"))
    assert answer.status_code == 403
