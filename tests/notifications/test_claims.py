"""Claims: those who may answer are told, then whoever claimed; nobody of what they may not see."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from kafkaconsole.groups.claims import actions
from kafkaconsole.notifications import actions as notifications
from kafkaconsole.notifications.models import Message, MessageState
from kafkaconsole.resets.states import State
from tests import factories
from tests.claims.test_answering import GROUP, claim, hide, sign_for_search
from tests.notifications.servers import PostOffice
from tests.notifications.working import told, work
from tests.scene import Scene


def text(office: PostOffice, who: str) -> str:
    """The one mail to somebody, in letters."""
    (mail,) = office.to(f"{who}@example.com")
    return str(mail.get_body(("plain",)).get_content())  # type: ignore[union-attr]


def test_a_claim_is_told_to_those_who_may_answer_it(scene: Scene, office: PostOffice) -> None:
    sign_for_search(scene)
    made = claim(scene)
    assert told("claim") == {"carol", "dave"}
    assert Message.objects.exclude(topic="claim").count() == 0
    work()
    said = text(office, "dave")
    assert "Claim of the group shipping" in said and "We run it" in said and f"/claims/{made.pk}/" in said
    (mail,) = office.to("dave@example.com")
    assert mail["Subject"] == "Waits for an answer: Claim of the group shipping"


@pytest.mark.parametrize(("answer", "said"), [("grant", "granted the claim"), ("reject", "rejected the claim: “No”")])
def test_the_answer_is_told_to_whoever_claimed_it(scene: Scene, office: PostOffice, answer: str, said: str) -> None:
    made = claim(scene)
    getattr(actions, answer)(by=scene.cast.carol, claim=made, comment="No")
    assert told("mine") == {"alice"}
    work()
    assert said in text(office, "alice")


def test_a_withdrawal_is_told_to_nobody(scene: Scene, office: PostOffice) -> None:
    made = claim(scene)
    before = Message.objects.count()
    actions.withdraw(by=scene.cast.alice, claim=made)
    assert Message.objects.count() == before


def test_who_leaves_claims_out_is_not_told(scene: Scene, office: PostOffice) -> None:
    sign_for_search(scene)
    notifications.choose(person=scene.cast.dave, heard=["sign"], digest_hour=None, language="en")
    claim(scene)
    assert told("claim") == {"carol"}


def test_what_is_hidden_before_it_is_sent_is_not_sent(scene: Scene, office: PostOffice) -> None:
    sign_for_search(scene)
    claim(scene)
    hide(scene)
    work()
    assert Message.objects.get(person=scene.cast.dave).state == MessageState.DROPPED
    assert office.to("dave@example.com") == []
    assert GROUP in text(office, "carol")


def test_one_mail_tells_of_a_request_and_of_a_claim(scene: Scene, office: PostOffice) -> None:
    made = claim(scene)
    factories.request_in(State.APPLIED, scene.cast, scene.kafka)
    actions.reject(by=scene.cast.carol, claim=made, comment="No")
    work()
    assert "rejected the claim" in text(office, "alice") and "It was applied" in text(office, "alice")


def test_the_log_of_what_was_sent_leads_to_the_claim(scene: Scene, office: PostOffice, client: Client) -> None:
    made = claim(scene)
    client.force_login(scene.cast.carol)
    assert f'href="/claims/{made.pk}/"' in client.get("/deliveries").content.decode()
    client.force_login(scene.cast.alice)
    assert f'href="/claims/{made.pk}/"' not in client.get("/deliveries").content.decode()


def test_a_message_is_about_a_request_or_a_claim(scene: Scene, office: PostOffice) -> None:
    claim(scene)
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.filter(claim__isnull=False).update(request=request)
