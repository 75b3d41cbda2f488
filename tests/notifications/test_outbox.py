"""Who is told of what, in one transaction with the change, once, and never of what they may not see."""

from __future__ import annotations

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.notifications import actions as notifications
from kafkaconsole.notifications.happenings import SENTENCES
from kafkaconsole.notifications.models import Message, MessageState
from kafkaconsole.notifications.topics import TOLD
from kafkaconsole.resets import actions
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership
from tests import factories
from tests.factories import request_in
from tests.notifications.servers import PostOffice
from tests.notifications.working import told, work
from tests.scene import Scene


def test_every_event_that_is_told_has_its_sentence() -> None:
    assert SENTENCES.keys() == TOLD


def test_a_plan_is_told_to_those_who_may_sign_it_and_to_nobody_else(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    assert told("sign") == {"bob", "bora"}
    assert Message.objects.exclude(topic="sign").count() == 0


def test_an_approval_is_told_to_the_requester_and_the_team_but_not_to_the_approver(
    scene: Scene, office: PostOffice
) -> None:
    request_in(State.APPROVED, scene.cast, scene.kafka)
    assert told("mine") == {"alice"}
    assert told("team") == {"amir", "bora"}


@pytest.mark.parametrize(
    "state",
    [
        "rejected",
        "cancelled",
        "plan_failed",
        "waiting",
        "stale",
        "expired",
        "applied",
        "partly_applied",
        "failed",
        "uncertain",
    ],
)
def test_the_requester_is_told_how_it_goes_on(scene: Scene, office: PostOffice, state: str) -> None:
    request = request_in(State(state), scene.cast, scene.kafka)
    numbers = Message.objects.filter(request=request, person=scene.cast.amir).values_list("event", flat=True)
    verbs = set(AuditEvent.objects.filter(number__in=list(numbers)).values_list("verb", flat=True))
    assert f"reset.{state}" in verbs


def test_nothing_is_told_of_a_change_that_was_rolled_back(scene: Scene, office: PostOffice) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    before = Message.objects.count()
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        factories.approve(request, scene.cast.bob)
        assert Message.objects.count() > before
        raise ZeroDivisionError
    assert Message.objects.count() == before


def test_people_who_are_named_are_told(scene: Scene, office: PostOffice) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    said = actions.comment(request=request, by=scene.cast.alice, text="@bob, please look at partition 2")
    facts = {"comment": said.pk, "mentions": ["bob", "dave"]}
    with transaction.atomic():
        audit.record("reset.commented", actor=scene.cast.alice, target=request, facts=facts)
    assert {"bob", "dave"} <= told("talk")
    work()
    assert "please look at partition 2" in text_of(office, "bob@example.com")
    assert office.to("dave@example.com") == []
    assert state_for(scene.cast.dave) == (MessageState.DROPPED, "notify.not_theirs")


def test_whoever_gets_a_request_handed_over_is_told(scene: Scene, office: PostOffice) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    with transaction.atomic():
        audit.record("reset.handed_over", actor=scene.cast.bob, target=request, facts={"to": "bora"})
    assert told("talk") == {"bora"}


def test_whoever_left_the_team_before_it_was_sent_is_not_told(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    Membership.objects.filter(user=scene.cast.bora).delete()
    work()
    assert [mail["To"] for mail in office.mails] == ["bob@example.com"]
    assert state_for(scene.cast.bora) == (MessageState.DROPPED, "notify.not_theirs")


def test_whoever_may_no_longer_sign_in_is_not_told(scene: Scene, office: PostOffice) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    User.objects.filter(pk=scene.cast.bora.pk).update(is_active=False)
    work()
    assert state_for(scene.cast.bora) == (MessageState.DROPPED, "notify.not_reachable")


def test_without_a_mail_server_nobody_is_written_to(scene: Scene, office: PostOffice, settings: Settings) -> None:
    settings.MAIL_IS_SET_UP = False
    request_in(State.APPLIED, scene.cast, scene.kafka)
    assert Message.objects.count() == 0


def test_what_one_chose_not_to_hear_is_not_written(scene: Scene, office: PostOffice) -> None:
    notifications.choose(person=scene.cast.bora, language="en", heard=["mine"], digest_hour=None)
    request_in(State.PLANNED, scene.cast, scene.kafka)
    assert told("sign") == {"bob"}


def test_a_broken_glass_is_told_whatever_one_chose(scene: Scene, office: PostOffice) -> None:
    for person in (scene.cast.carol, scene.cast.bora):
        notifications.choose(person=person, language="en", heard=[], digest_hour=None)
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    with transaction.atomic():
        audit.record("reset.glass_broken", actor=scene.cast.carol, target=request, facts={"reason": "Shop is down"})
    assert told("glass") == {"carol", "alice", "bob", "bora"}
    work()
    mail = office.to("bora@example.com")[0]
    assert "glass was broken" in mail["Subject"]
    assert "Shop is down" in text_of(office, "bora@example.com")


def test_waiting_on_and_on_for_one_reason_is_told_once(scene: Scene, office: PostOffice) -> None:
    request = request_in(State.WAITING, scene.cast, scene.kafka)
    problem = request.problem
    for _ in range(3):
        with transaction.atomic():
            audit.record("reset.waiting", actor=None, target=request, facts={"problem": problem})
    assert Message.objects.filter(person=scene.cast.alice, occasion__startswith="waiting:").count() == 1


def text_of(office: PostOffice, address: str) -> str:
    """The text of all mails to somebody."""
    parts = [mail.get_body(("plain",)) for mail in office.to(address)]
    return "\n".join(str(part.get_content()) for part in parts if part)


def state_for(person: User) -> tuple[str, str]:
    """The state of the one message to this person, and why."""
    message = Message.objects.get(person=person)
    return message.state, (message.answer or {}).get("code", "")
