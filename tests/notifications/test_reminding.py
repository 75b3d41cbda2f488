"""What the clock says: reminders before a request expires, and the day's digest at the hour that a person chose."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from pytest_django.fixtures import Settings

from kafkaconsole.accounts.models import User
from kafkaconsole.notifications import actions, channels, reminding
from kafkaconsole.notifications.models import Message
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.factories import request_in
from tests.notifications.servers import PostOffice
from tests.notifications.test_mail import part
from tests.notifications.working import told, work
from tests.scene import Scene

NOON = datetime(2026, 12, 2, 12, tzinfo=UTC)


def at(when: datetime) -> None:
    """What beat does then."""
    with time_machine.travel(when, tick=False):
        reminding.remind()


def expiring(scene: Scene, state: State, *, life: timedelta) -> ResetRequest:
    """A request that lives so long from noon on."""
    request = request_in(state, scene.cast, scene.kafka)
    ResetRequest.objects.filter(pk=request.pk).update(created_at=NOON, expires_at=NOON + life)
    Message.objects.all().delete()
    request.refresh_from_db()
    return request


def test_before_a_request_expires_its_requester_and_the_missing_signers_are_told_once(
    scene: Scene, office: PostOffice
) -> None:
    request = expiring(scene, State.PLANNED, life=timedelta(days=7))
    at(NOON + timedelta(days=5, hours=23))
    assert told("reminder") == set()
    at(NOON + timedelta(days=6, minutes=1))
    at(NOON + timedelta(days=6, minutes=6))
    assert told("reminder") == {"alice", "bob", "bora"}
    assert Message.objects.count() == 3
    work(NOON + timedelta(days=6, minutes=10))
    text = part(office.to("bob@example.com")[0], "plain")
    assert "It expires at" in text
    assert request.plan_digest in text


def test_who_has_signed_is_not_reminded(scene: Scene, office: PostOffice) -> None:
    expiring(scene, State.APPROVED, life=timedelta(days=7))
    at(NOON + timedelta(days=6, hours=1))
    assert told("reminder") == {"alice"}


def test_a_short_life_is_told_of_in_its_last_quarter(scene: Scene, office: PostOffice) -> None:
    expiring(scene, State.PLANNED, life=timedelta(hours=4))
    at(NOON + timedelta(hours=2, minutes=59))
    assert told("reminder") == set()
    at(NOON + timedelta(hours=3))
    assert told("reminder") == {"alice", "bob", "bora"}


@pytest.mark.parametrize("state", [State.APPLIED, State.CANCELLED, State.REJECTED])
def test_nobody_is_reminded_of_what_is_over(scene: Scene, office: PostOffice, state: State) -> None:
    expiring(scene, state, life=timedelta(days=1))
    at(NOON + timedelta(hours=23))
    assert told("reminder") == set()


def test_channels_are_reminded_without_a_mail_server(scene: Scene, office: PostOffice, settings: Settings) -> None:
    settings.MAIL_IS_SET_UP = False
    for name, heard in (("hears", ["reminder"]), ("does not", ["sign"])):
        given: dict[str, Any] = {"kind": "slack", "name": name, "url": "https://hooks.example.com/x", "heard": heard}
        channels.add(by=scene.cast.carol, team=scene.cast.billing, **given)
    expiring(scene, State.PLANNED, life=timedelta(days=1))
    at(NOON + timedelta(hours=23))
    assert told("reminder") == {"hears"}


def test_a_digest_comes_at_the_hour_that_its_reader_chose_in_their_zone_once_a_day(
    scene: Scene, office: PostOffice
) -> None:
    User.objects.filter(username="bob").update(time_zone="Asia/Seoul")
    actions.choose(person=scene.cast.bob, language="en", heard=[], digest_hour=8)
    requests = [request_in(State.PLANNED, scene.cast, scene.kafka, reason=f"No. {number}") for number in (1, 2)]
    seven_in_seoul = datetime(2026, 12, 2, 22, tzinfo=UTC)
    at(seven_in_seoul + timedelta(minutes=55))
    assert told("digest") == set()
    for minutes in (60, 65, 119):
        at(seven_in_seoul + timedelta(minutes=minutes))
    assert Message.objects.filter(topic="digest").count() == 1
    work(seven_in_seoul + timedelta(minutes=120))
    (mail,) = office.to("bob@example.com")
    assert mail["Subject"] == "2 requests wait for you"
    for request in requests:
        assert request.plan_digest in part(mail, "plain")
        assert f"/requests/{request.pk}" in part(mail, "html")
    at(seven_in_seoul + timedelta(days=1, hours=1))
    assert Message.objects.filter(topic="digest").count() == 2


def test_no_digest_comes_when_nothing_waits(scene: Scene, office: PostOffice) -> None:
    actions.choose(person=scene.cast.bob, language="en", heard=[], digest_hour=12)
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    at(NOON)
    factories.approve(request, scene.cast.bob)
    work(NOON + timedelta(minutes=1))
    assert office.to("bob@example.com") == []
    assert Message.objects.get(topic="digest").answer == {"code": "notify.nothing_waits", "facts": {}}


def test_midnight_is_an_hour(scene: Scene, office: PostOffice) -> None:
    actions.choose(person=scene.cast.bob, language="en", heard=[], digest_hour=0)
    at(NOON.replace(hour=0, minute=5))
    assert told("digest") == {"bob"}


def test_whoever_chose_no_hour_gets_no_digest(scene: Scene, office: PostOffice) -> None:
    actions.choose(person=scene.cast.bob, language="en", heard=["sign"], digest_hour=None)
    for hour in range(24):
        at(NOON + timedelta(hours=hour))
    assert told("digest") == set()
