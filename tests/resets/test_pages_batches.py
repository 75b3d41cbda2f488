"""The form for several groups, and the page that shows and signs them together."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from kafkaconsole.history import sweeping
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import Approval, Batch, Preview, ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.factories import GROUP, make_change
from tests.fakes.kafka import FakeKafka
from tests.scene import Scene

NEW = "/requests/new"
OTHER = "billing-invoices"
FORM = {"cluster": "demo", "group": GROUP, "scope": "all_committed", "kind": "to_earliest"}
BOTH = {**FORM, "also_cluster": ["", ""], "also_group": [OTHER, ""]}


@pytest.fixture
def kafka() -> FakeKafka:
    """Both groups have read `hello` to its end."""
    kafka = factories.make_kafka()
    kafka.set_committed(OTHER, {factories.hello(number): factories.at(3) for number in range(3)})
    return kafka


@pytest.fixture
def alice(scene: Scene, client: Client) -> Client:
    sweeping.sweep(scene.cluster.pk, scene.kafka.connect)
    client.force_login(scene.cast.alice)
    return client


@pytest.fixture
def batch(scene: Scene) -> Batch:
    """Asked by Alice and planned."""
    changes = [make_change(group=name) for name in (GROUP, OTHER)]
    made = actions.request_batch(by=scene.cast.alice, changes=changes, reason="Wrong prices")
    kafka = scene.kafka
    for row in made.requests.all():
        actions.make_plan(request_id=row.pk, connect=kafka.connect, connect_records=kafka.connect_records)
    return made


def page(client: Client, batch: Batch) -> str:
    answer = client.get(f"/batches/{batch.pk}")
    assert answer.status_code == 200
    return answer.content.decode()


def sign(client: Client, batch: Batch, data: dict[str, Any]) -> list[str]:
    """What the page tells after the form was sent."""
    answer = client.post(f"/batches/{batch.pk}/approve", data)
    assert (answer.status_code, answer["Location"]) == (302, f"/batches/{batch.pk}")
    return [str(one) for one in get_messages(answer.wsgi_request)]


def test_strangers_are_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/batches/1").status_code == 302


def test_several_groups_make_a_batch(alice: Client) -> None:
    answer = alice.post(NEW, {**BOTH, "do": "request", "reason": "Wrong prices", "ticket": "INC-1"})
    made = Batch.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/batches/{made.pk}")
    rows = list(ResetRequest.objects.order_by("pk"))
    assert [(row.group_name, row.batch) for row in rows] == [(GROUP, made), (OTHER, made)]
    assert {row.ticket for row in rows} == {"INC-1"}
    assert f'href="/batches/{made.pk}"' in alice.get(f"/requests/{rows[0].pk}").content.decode()


def test_one_group_makes_no_batch(alice: Client) -> None:
    alice.post(NEW, {**FORM, "also_cluster": [""], "also_group": [""], "do": "request", "reason": "Wrong"})
    assert not Batch.objects.exists()
    assert ResetRequest.objects.count() == 1


def test_each_group_is_previewed(alice: Client, scene: Scene) -> None:
    html = alice.post(NEW, {**BOTH, "do": "preview"}).content.decode()
    made = {row.change["group"]: row for row in Preview.objects.all()}
    assert set(made) == {GROUP, OTHER}
    address = f"/previews/{made[OTHER].pk}"
    assert f'hx-get="{address}?short=1"' in html
    kafka = scene.kafka
    actions.make_preview(preview_id=made[OTHER].pk, connect=kafka.connect, connect_records=kafka.connect_records)
    short = alice.get(address, {"short": "1"}, headers={"HX-Request": "true"}).content.decode()
    assert "9 offsets read again" in short
    assert "data-live-every" not in short
    assert 'id="rules"' not in short


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"also_group": [GROUP]}, "is named twice"),
        ({"also_group": [OTHER], "also_cluster": ["nowhere"]}, "choose its cluster"),
        ({"also_group": ["search-x"]}, "No team owns search-x"),
        ({"also_group": [OTHER], "kind": "copy_group", "from_group": OTHER}, "another group"),
        ({"also_group": [f"billing-{n}" for n in range(50)]}, "at most 50 at once"),
    ],
)
def test_a_group_that_cannot_be_asked_for_refuses_all_and_is_kept(
    alice: Client, fields: dict[str, Any], told: str
) -> None:
    answer = alice.post(NEW, {**FORM, "do": "request", "reason": "Wrong", **fields})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert told in html
    assert f'name="also_group" value="{fields["also_group"][0]}"' in html
    assert not ResetRequest.objects.exists()


def test_the_page_shows_every_plan_and_an_approver_signs_those_chosen(
    scene: Scene, client: Client, batch: Batch
) -> None:
    client.force_login(scene.cast.bob)
    html = page(client, batch)
    assert html.count("9 offsets read again") == 2
    digests = dict(re.findall(r'name="digest:(\d+)" value="([0-9a-f]{64})"', html))
    first, second = sorted(digests)
    data = {f"digest:{pk}": digest for pk, digest in digests.items()} | {"sign": [first], "comment": "Checked"}
    assert sign(client, batch, data) == [f"Request {first} ({GROUP}): you approved its plan."]
    assert [one.comment for one in Approval.objects.all()] == ["Checked"]
    assert ResetRequest.objects.get(pk=second).state == State.PLANNED


def test_what_was_not_signed_is_told_with_its_reason(scene: Scene, client: Client, batch: Batch) -> None:
    client.force_login(scene.cast.bob)
    first, second = batch.requests.order_by("pk")
    data = {"sign": [first.pk, second.pk], f"digest:{first.pk}": first.plan_digest, f"digest:{second.pk}": "0" * 64}
    signed, refused = sign(client, batch, data)
    assert signed == f"Request {first.pk} ({GROUP}): you approved its plan."
    assert refused.startswith(f"Request {second.pk} ({OTHER}) is not signed: ")
    assert "plan" in refused


def test_nothing_chosen_signs_nothing(scene: Scene, client: Client, batch: Batch) -> None:
    client.force_login(scene.cast.bob)
    assert sign(client, batch, {}) == ["Nothing was signed: choose at least one plan."]
    assert not Approval.objects.exists()


def test_no_plan_is_chosen_before_a_person_chooses_it(scene: Scene, client: Client, batch: Batch) -> None:
    client.force_login(scene.cast.bob)
    assert "checked" not in page(client, batch)


def test_whoever_asked_reads_why_they_cannot_sign(alice: Client, batch: Batch) -> None:
    html = page(alice, batch)
    assert "You asked for this reset, so someone else must approve it." in html
    assert "Approve the chosen plans" not in html


def test_the_page_of_whoever_asked_waits_for_the_signatures(alice: Client, batch: Batch) -> None:
    html = page(alice, batch)
    assert 'data-live-every="3"' in html
    assert re.search(r'<form id="batch"[^>]* hx-params="none"', html), (
        "asking again must not put the form's token in the address"
    )


def test_what_one_has_signed_is_not_offered_again(scene: Scene, client: Client, batch: Batch) -> None:
    client.force_login(scene.cast.bob)
    first = batch.requests.order_by("pk")[0]
    actions.approve(request=first, by=scene.cast.bob, seen_digest=first.plan_digest)
    assert f'name="digest:{first.pk}"' not in page(client, batch)


def test_an_outsider_does_not_find_it(scene: Scene, client: Client, batch: Batch) -> None:
    client.force_login(scene.cast.dave)
    assert client.get(f"/batches/{batch.pk}").status_code == 404
    assert client.post(f"/batches/{batch.pk}/approve", {"sign": "1"}).status_code == 404


def test_the_live_answer_is_empty_until_something_changes(scene: Scene, client: Client, batch: Batch) -> None:
    client.force_login(scene.cast.bob)
    assert "data-live-every" not in page(client, batch), "there is only to sign: a choice stays as it was made"
    first = batch.requests.order_by("pk")[0]
    actions.approve(request=first, by=scene.cast.bob, seen_digest=first.plan_digest)
    seen = re.search(r"\?seen=([0-9a-f]+)", page(client, batch))
    assert seen is not None
    address, headers = f"/batches/{batch.pk}", {"HX-Request": "true"}
    assert client.get(address, {"seen": seen[1]}, headers=headers).status_code == 204
    actions.cancel(request=first, by=scene.cast.carol)
    assert client.get(address, {"seen": seen[1]}, headers=headers).status_code == 200
