"""Cases that are about what people read or press: the form, the plan's words, and several requests at once."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import sweeping
from kafkaconsole.history.models import Turn
from kafkaconsole.kafka.values import GroupState, Offset
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Preview
from kafkaconsole.resets.pages.batch import BatchPage
from kafkaconsole.resets.states import State
from tests import factories
from tests.factories import GROUP, hello, make_change
from tests.scene import Scene

NEW = "/requests/new"


@pytest.fixture
def alice(scene: Scene, client: Client) -> Client:
    client.force_login(scene.cast.alice)
    return client


def preview_of(alice: Client, scene: Scene, kind: str) -> str:
    """The plan of a change as the form shows it."""
    form = {"cluster": "demo", "group": GROUP, "kind": kind, "scope": "all_committed", "do": "preview"}
    assert alice.post(NEW, form).status_code == 200
    made, kafka = Preview.objects.get(), scene.kafka
    actions.make_preview(preview_id=made.pk, connect=kafka.connect, connect_records=kafka.connect_records)
    return alice.get(reverse("preview", args=[made.pk]), headers={"HX-Request": "true"}).content.decode()


def a_log(scene: Scene, log_end: int, committed: int) -> None:
    """One partition without records to look at, and the group's only commit."""
    scene.kafka.add_topic("hello")
    scene.kafka.log("hello", 0).log_end = Offset(log_end)
    scene.kafka.set_committed(GROUP, {hello(0): factories.at(committed)})


def test_txn_02_what_is_read_again_is_told_in_offsets_and_as_a_bound(alice: Client, scene: Scene) -> None:
    a_log(scene, 110, 110)
    html = preview_of(alice, scene, "to_earliest")
    assert "110 offsets again</b>" in html
    assert "at most as many records: markers of transactions, aborted records and what compaction took" in html
    assert not re.search(r"110 (records|messages)", html)


def test_txn_03_the_last_stable_offset_is_offered_as_the_target(alice: Client, scene: Scene) -> None:
    a_log(scene, 1663, 200)
    scene.kafka.open_transaction("hello", 0, at_offset=200)
    html = preview_of(alice, scene, "to_latest")
    (offer,) = re.findall(r'href="(/requests/new\?stable=[^"]+)"', html)
    form = alice.get(offer).content.decode()
    assert 'value="from_file" checked' in form
    assert "hello,0,200" in form and "1663" not in form
    assert alice.get(f"{NEW}?stable=nonsense").status_code == 404


def test_txn_03_nothing_is_offered_where_no_transaction_is_open(alice: Client, scene: Scene) -> None:
    a_log(scene, 1663, 200)
    assert "?stable=" not in preview_of(alice, scene, "to_latest")


def test_appr_05_whoever_signs_sees_what_has_moved_since_the_plan(scene: Scene, client: Client) -> None:
    a_log(scene, 100, 40)
    request = factories.plan(factories.ask(scene.cast.alice), scene.kafka)
    client.force_login(scene.cast.bob)
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    assert "Not as planned any more" not in client.get(f"/requests/{request.pk}/since").content.decode()
    scene.kafka.delete_records("hello", 0, before=60)
    scene.kafka.set_committed(GROUP, {hello(0): factories.at(90)})
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    page = client.get(f"/requests/{request.pk}").content.decode()
    assert f'hx-get="/requests/{request.pk}/since" hx-trigger="load, live"' in page
    html = client.get(f"/requests/{request.pk}/since").content.decode()
    words = " ".join(re.sub("<[^>]+>", "", html).split())
    assert "Not as planned any more" in words and "have it planned again before it is signed" in words
    assert "The commit of 1 partition is another now: hello-0 40 → 90" in words
    assert "The target on 1 partition is deleted: hello-0 target 0, the log begins at 60" in words
    assert factories.execute(factories.approve(request, scene.cast.bob), scene.kafka).state == State.STALE
    page = client.get(f"/requests/{request.pk}").content.decode()
    assert "/since" not in page, "nothing is to come that it could be compared with"


def test_fw_05_a_group_without_commits_says_where_its_reader_keeps_its_position_and_offers_no_reset(
    alice: Client, scene: Scene
) -> None:
    name, reset = "billing-spark-kafka-source-1", "Ask for a reset"
    page = f"/groups/demo/{name}"
    scene.kafka.group(name).state = GroupState.EMPTY
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    html = alice.get(page).content.decode()
    assert "No committed offsets: this reader keeps its position elsewhere" in html
    assert reset not in html, "only first offsets can be set"
    (seed,) = re.findall(r'href="(/requests/new\?cluster=demo&amp;group=[^"]+)"', html)
    form = alice.get(seed.replace("&amp;", "&")).content.decode()
    assert re.search(r'name="scope" value="topics"[^>]*checked', form)
    scene.kafka.set_committed(name, {hello(0): factories.at(1)})
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    html = alice.get(page).content.decode()
    assert "keeps its position elsewhere" not in html and reset in html


@pytest.mark.parametrize("page", ["/", "/groups", f"/groups/demo/{GROUP}", "/clusters/demo/", NEW])
def test_scale_04_a_page_that_is_opened_during_a_sweep_shows_the_last_values_with_their_age(
    alice: Client, scene: Scene, page: str
) -> None:
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    Turn.objects.update(due_at=timezone.now())
    opened: list[tuple[int, str, list[str]]] = []

    def open_it() -> None:
        asked = len(scene.kafka.calls)
        ConsumerGroup.objects.update(measured_at=timezone.now() - timedelta(minutes=5))
        answer = alice.get(page)
        opened.append((answer.status_code, answer.content.decode(), scene.kafka.calls[asked:]))

    scene.kafka.before("committed", open_it)
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    ((status, html, calls),) = opened
    assert (status, calls) == (200, []), "it neither waits for the sweep nor asks the cluster itself"
    if page.startswith("/groups"):
        assert "5 min ago" in html


def test_state_12_of_several_groups_each_ends_by_itself(scene: Scene) -> None:
    names = (GROUP, "billing-invoices", "billing-mails")
    for name in names[1:]:
        scene.kafka.set_committed(name, {hello(0): factories.at(3)})
    scene.kafka.join(names[1], client_id="invoices-1", topics=["hello"])
    batch = actions.request_batch(
        by=scene.cast.alice, changes=[make_change(group=name) for name in names], reason="Wrong prices"
    )
    for row in batch.requests.all():
        actions.make_plan(request_id=row.pk, connect=scene.kafka.connect, connect_records=scene.kafka.connect_records)
    digests = dict(batch.requests.values_list("pk", "plan_digest"))
    actions.approve_batch(batch=batch, by=scene.cast.bob, seen_digests=digests)
    for row in batch.requests.order_by("pk"):
        actions.execute(request_id=row.pk, connect=scene.kafka.connect)
    rows = BatchPage(batch, scene.cast.alice).rows
    assert [(row.request.group_name, row.request.state) for row in rows] == [
        (names[0], State.APPLIED),
        (names[1], State.WAITING),
        (names[2], State.APPLIED),
    ]
    assert (rows[1].request.problem or {})["code"] == "reset.group_still_active"
    assert factories.offsets_in(scene.kafka, names[2])[0] == 0
    assert factories.offsets_in(scene.kafka, names[1])[0] == 3
