"""The pages that show a few records, and the one that skips one."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from kafkaconsole.history import sweeping
from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from kafkaconsole.records import looking
from kafkaconsole.records.look_models import RecordLook
from kafkaconsole.resets.models import Preview, ResetRequest
from tests.fakes.kafka import FakeKafka
from tests.records.scene import Scene

HTMX = {"HX-Request": "true"}
GROUP = {"cluster": "demo", "group": "billing"}
PLACE = {"topic": "hello", "partition": "0", "offset": "1", "before": "1", "after": "5"}


@pytest.fixture
def alice(client: Client, scene: Scene, kafka: FakeKafka) -> Client:
    """Alice; her group stands at 1 on hello-0 and a sweep has seen it."""
    kafka.set_committed("billing", {TopicPartition("hello", 0): Committed(Offset(1))})
    sweeping.sweep(scene.cluster.pk, kafka.connect)
    client.force_login(scene.alice)
    return client


def ask(alice: Client, **fields: str) -> str:
    """The page of a look that was asked for."""
    answer: Any = alice.post(reverse("look-ask"), {**PLACE, **fields}, headers=HTMX, follow=True)
    assert answer.status_code == 200, answer.content.decode()
    text: str = answer.content.decode()
    return text


def read(alice: Client, kafka: FakeKafka, view: str = "", **fields: str) -> str:
    """The same once a worker has read it."""
    ask(alice, **fields)
    made = RecordLook.objects.latest("pk")
    looking.look(look_id=made.pk, connect_records=kafka.connect_records)
    return alice.get(reverse("look", args=[made.pk]), {"view": view}, headers=HTMX).content.decode()


def test_strangers_are_sent_to_sign_in(client: Client, db: None) -> None:
    for name in ("look-new", "skip-one"):
        assert client.get(reverse(name)).status_code == 302


def test_the_dialog_asks_by_itself_and_the_page_does_not(alice: Client, reset: ResetRequest) -> None:
    where = {"request": str(reset.pk), "topic": "hello", "partition": "0", "offset": "0"}
    assert 'hx-trigger="submit, load"' in alice.get(reverse("look-new"), where, headers=HTMX).content.decode()
    page = alice.get(reverse("look-new"), where).content.decode()
    assert "<html" in page and 'hx-trigger="submit"' in page


def test_a_look_is_followed_until_it_is_read(alice: Client, kafka: FakeKafka, reset: ResetRequest) -> None:
    asked = {"request": str(reset.pk)}
    assert "data-live-every" in ask(alice, **asked)
    html = read(alice, kafka, **asked)
    assert "data-live-every" not in html
    assert "m1" in html and "m3" in html
    assert html.count("the offset asked for") == 1


def test_contents_are_escaped_in_every_view(alice: Client, kafka: FakeKafka) -> None:
    kafka.produce("hello", 0, b'{"<b>": "<script>"}', key=b"<i>", headers=(("<u>", b"<s>"),))
    for view in ("text", "json", "hex"):
        html = read(alice, kafka, view, **GROUP)
        assert not any(bad in html for bad in ("<script>", "<i>", "<u>", '"<b>"')), view
        assert "&lt;i&gt;" in html


def test_json_can_be_folded_and_hex_lists_bytes(alice: Client, kafka: FakeKafka) -> None:
    kafka.produce("hello", 0, b'{"id": 7, "lines": [1, 2]}')
    html = read(alice, kafka, "json", **GROUP)
    assert "<summary>" in html and 'class="name">lines<' in html
    assert "This is no JSON" in html, "m1 beside it is none"
    assert "6d 32" in read(alice, kafka, "hex", **GROUP)


def test_a_bad_place_is_refused_and_kept(alice: Client) -> None:
    for change, told in (({"after": "99"}, "less than or equal to 25"), ({"topic": "secrets"}, "has no commit on")):
        answer = alice.post(reverse("look-ask"), {**PLACE, **GROUP, **change}, headers=HTMX)
        assert answer.status_code == 422
        assert told in answer.content.decode()
    assert not RecordLook.objects.exists()


def test_who_may_not_read_messages_reads_why(alice: Client, scene: Scene) -> None:
    look = reverse("look", args=[_look(alice).pk])
    scene.cluster.environment.is_production, scene.cluster.environment.may_read_messages = True, False
    scene.cluster.environment.save()
    assert "switched off" in alice.get(reverse("look-new"), {**PLACE, **GROUP}, headers=HTMX).content.decode()
    assert alice.post(reverse("look-ask"), {**PLACE, **GROUP}).status_code == 403
    assert alice.get(look).status_code == 403, "a right that was withdrawn ends what was begun"


def _look(alice: Client) -> RecordLook:
    ask(alice, **GROUP)
    return RecordLook.objects.latest("pk")


def test_a_look_of_someone_else_is_not_found(alice: Client, scene: Scene) -> None:
    look = _look(alice)
    alice.force_login(scene.amir)
    assert alice.get(reverse("look", args=[look.pk])).status_code == 404


def test_each_line_of_a_plan_leads_to_its_records(alice: Client, reset: ResetRequest, scene: Scene) -> None:
    html = alice.get(f"/requests/{reset.pk}").content.decode()
    assert f"?request={reset.pk}&amp;topic=hello&amp;partition=1&amp;offset=0" in html
    alice.force_login(scene.eve)
    html = alice.get(f"/requests/{reset.pk}").content.decode()
    assert reverse("look-new") not in html
    assert "Only people of the team Billing can read messages" in html


def test_the_group_page_offers_to_skip_on_each_partition_with_a_commit(alice: Client, scene: Scene) -> None:
    page = reverse("group", args=["demo", "billing"])
    assert "place=hello:0" in alice.get(page).content.decode()
    alice.force_login(scene.dave)
    assert "place=hello:0" not in alice.get(page).content.decode()


def test_skipping_starts_at_the_committed_offset(alice: Client) -> None:
    html = alice.get(reverse("skip-one"), {**GROUP, "place": "hello:0"}).content.decode()
    assert 'name="offset" value="1"' in html
    assert "stands at 1" in html


def test_the_next_record_can_be_skipped_alone(alice: Client, kafka: FakeKafka) -> None:
    html = read(alice, kafka, skip="1", **GROUP)
    assert "The next record that it would read is <b>1</b>" in html
    assert 'name="offset" value="2"' in html
    form = {"cluster": "demo", "group": "billing", "scope": "topics", "topic": "hello", "partitions:hello": "0"}
    assert all(f'name="{name}" value="{value}"' in html for name, value in form.items())
    alice.post("/requests/new", {**form, "do": "preview", "kind": "to_offset", "offset": "2"})
    assert Preview.objects.get().change["strategy"] == {"kind": "to_offset", "offset": 2}


def test_a_hole_before_the_record_is_passed_with_it(alice: Client, kafka: FakeKafka) -> None:
    kafka.compact("hello", 0, away=[1])
    assert "The next record that it would read is <b>2</b>; past it, it goes on at 3" in read(
        alice, kafka, skip="1", **GROUP
    )


@pytest.mark.parametrize(
    ("offset", "told"),
    [("3", "before the records shown"), ("2", "<b>1</b>")],
)
def test_a_record_further_on_is_not_skipped_alone(alice: Client, kafka: FakeKafka, offset: str, told: str) -> None:
    kafka.produce("hello", 0, b"m4")
    kafka.produce("hello", 0, b"m5")
    assert told in read(alice, kafka, skip="1", **GROUP, offset=offset)


def test_there_is_nothing_to_skip_at_the_end(alice: Client, kafka: FakeKafka, scene: Scene) -> None:
    kafka.set_committed("billing", {TopicPartition("hello", 0): Committed(Offset(3))})
    sweeping.sweep(scene.cluster.pk, kafka.connect)
    html = read(alice, kafka, skip="1", **GROUP, offset="3")
    assert "nothing to skip" in html
    assert "Show the plan" not in html
