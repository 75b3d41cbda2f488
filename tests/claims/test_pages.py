"""Pages of claims: from the group, its list and the form that refuses, to the answer."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.test import Client
from django.utils.timezone import now

from kafkaconsole.groups import actions as ownership
from kafkaconsole.groups.models import Claim, ConsumerGroup
from tests.claims.test_answering import GROUP, claim, hide, sign_for_search
from tests.scene import Scene

NEW = f"/claims/new?cluster=demo&group={GROUP}"
SAID = {"team": "billing", "reason": "We run it"}


@pytest.fixture(autouse=True)
def unowned(scene: Scene) -> ConsumerGroup:
    """A group of nobody's, as a sweep saw it."""
    return ConsumerGroup.objects.create(
        cluster=scene.cluster, name=GROUP, type="classic", state="Empty", first_seen_at=now(), last_seen_at=now()
    )


def html(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.mark.parametrize("address", ["/claims", NEW, "/claims/1/"])
def test_signed_out_visitor_is_sent_to_sign_in(client: Client, address: str) -> None:
    assert client.get(address).status_code == 302


@pytest.mark.parametrize("address", ["/groups", f"/groups/demo/{GROUP}", f"/requests/new?cluster=demo&group={GROUP}"])
def test_it_is_claimed_from_wherever_one_meets_it(scene: Scene, client: Client, address: str) -> None:
    link = f'href="/claims/new?cluster=demo&amp;group={GROUP}"'
    client.force_login(scene.cast.alice)
    assert link in html(client, address)
    client.force_login(scene.cast.eve)
    assert link not in html(client, address)


def test_a_member_claims_it_and_the_inbox_of_those_who_may_answer_names_it(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.alice)
    assert client.post(NEW, SAID).status_code == 302
    made = Claim.objects.get()
    assert (made.team, made.claimed_by) == (scene.cast.billing, scene.cast.alice)
    client.force_login(sign_for_search(scene))
    for address in ("/inbox", "/", "/claims", "/claims?state=open"):
        assert GROUP in html(client, address)
    assert "Nothing waits for you" not in html(client, "/inbox")
    client.force_login(scene.cast.bob)
    assert GROUP not in html(client, "/inbox")


def test_what_is_wrong_is_told_at_its_field_and_what_was_typed_is_kept(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.alice)
    answer = client.post(NEW, {"team": "search", "reason": "Words that stay"})
    assert answer.status_code == 422
    assert "Words that stay" in answer.content.decode()
    claim(scene)
    again = client.post(NEW, SAID)
    assert again.status_code == 422
    assert "claims shipping on demo already" in again.content.decode()


def test_a_group_that_is_owned_says_so_instead_of_a_form(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.alice)
    page = html(client, "/claims/new?cluster=demo&group=billing-orders")
    assert "belongs to the team Billing already" in page
    assert "<textarea" not in page
    assert client.post("/claims/new?cluster=demo&group=billing-orders", SAID).status_code == 403


def test_a_grant_and_a_rejection_from_the_page(scene: Scene, client: Client) -> None:
    made, other = claim(scene), claim(scene, group="returns")
    client.force_login(scene.cast.alice)
    assert "You claimed it, so somebody else has to answer" in html(client, f"/claims/{made.pk}/")
    assert client.post(f"/claims/{made.pk}/grant").status_code == 403
    client.force_login(sign_for_search(scene))
    assert client.post(f"/claims/{made.pk}/grant", {"comment": "Seen"}).status_code == 302
    refused = client.post(f"/claims/{other.pk}/reject", {"comment": ""})
    assert refused.status_code == 422
    assert client.post(f"/claims/{other.pk}/reject", {"comment": "No: theirs"}).status_code == 302
    assert "No: theirs" in html(client, f"/claims/{other.pk}/")
    assert {one.state for one in Claim.objects.all()} == {"granted", "rejected"}
    assert client.post(f"/claims/{made.pk}/grant").status_code == 409


def test_a_grant_that_comes_too_late_says_who_owns_it(scene: Scene, client: Client) -> None:
    made = claim(scene)
    ownership.add_ownership(by=scene.cast.carol, cluster=None, kind="name", pattern=GROUP, team=scene.cast.search)
    client.force_login(scene.cast.carol)
    answer = client.post(f"/claims/{made.pk}/grant")
    assert answer.status_code == 409
    assert "belongs to the team Search by now" in answer.content.decode()


def test_the_one_who_claimed_it_takes_it_back(scene: Scene, client: Client) -> None:
    made = claim(scene)
    client.force_login(scene.cast.amir)
    assert client.post(f"/claims/{made.pk}/withdraw").status_code == 403
    client.force_login(scene.cast.alice)
    assert client.post(f"/claims/{made.pk}/withdraw").status_code == 302
    assert client.post(f"/claims/{made.pk}/withdraw").status_code == 409


def test_no_claims_yet_and_none_in_a_state(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.alice)
    assert "No claims yet" in html(client, "/claims")
    assert "No claim is in this state" in html(client, "/claims?state=granted")


def test_claims_that_are_not_shown_are_404_and_in_no_list(scene: Scene, client: Client) -> None:
    made = claim(scene)
    hide(scene)
    client.force_login(sign_for_search(scene))
    for address in ("/claims", "/inbox", "/"):
        assert GROUP not in html(client, address)
    assert client.get(f"/claims/{made.pk}/").status_code == 404
    for verb in ("grant", "reject", "withdraw"):
        assert client.post(f"/claims/{made.pk}/{verb}", {"comment": "x"}).status_code == 404


def test_any_name_that_kafka_takes_can_be_claimed(scene: Scene, client: Client) -> None:
    name = "weird /?#&%<b>"
    client.force_login(scene.cast.alice)
    assert client.post(f"/claims/new?cluster=demo&group={quote(name, safe='')}", SAID).status_code == 302
    assert Claim.objects.get().group_name == name
    assert "weird /?#&amp;%&lt;b&gt;" in html(client, "/claims")
