"""Who is named in what was said is told of it, and nobody who may not see the request."""

from __future__ import annotations

import pytest

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.notifications import actions as notifications
from kafkaconsole.notifications.models import Message
from kafkaconsole.resets import actions
from kafkaconsole.resets.mentions import MOST
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.refusals import BadRequest
from kafkaconsole.resets.states import State
from tests.factories import request_in
from tests.notifications.servers import PostOffice
from tests.notifications.test_outbox import text_of
from tests.notifications.working import told, work
from tests.scene import Scene

SAID = "@bora and @dave: is partition 2 right?"


@pytest.fixture
def planned(scene: Scene, office: PostOffice) -> ResetRequest:
    return request_in(State.PLANNED, scene.cast, scene.kafka)


@pytest.mark.parametrize("verb", ["comment", "approve", "reject", "withdraw", "cancel"])
def test_whoever_a_comment_names_is_told_and_no_stranger(
    scene: Scene, office: PostOffice, planned: ResetRequest, verb: str
) -> None:
    say(scene, planned, verb, SAID)
    assert AuditEvent.objects.order_by("number").last().facts["mentions"] == ["bora"]  # type: ignore[union-attr]
    assert told("talk") == {"bora"}
    assert not Message.objects.filter(person=scene.cast.dave).exists()
    work()
    assert "is partition 2 right?" in text_of(office, "bora@example.com")
    assert office.to("dave@example.com") == []


def test_a_name_is_told_as_an_outcome_to_whoever_leaves_talk_out(scene: Scene, planned: ResetRequest) -> None:
    notifications.choose(person=scene.cast.alice, language="en", heard=["mine"], digest_hour=None)
    say(scene, planned, "reject", "@alice: not tonight")
    assert (told("mine"), told("talk")) == ({"alice"}, set())


@pytest.mark.parametrize("verb", ["approve", "reject", "cancel"])
def test_naming_half_the_company_is_refused_and_nothing_is_decided(
    scene: Scene, planned: ResetRequest, verb: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        say(scene, planned, verb, " ".join(f"@p{n}" for n in range(MOST + 1)))
    assert refused.value.facts["field"] == "comment"
    planned.refresh_from_db()
    assert planned.state == State.PLANNED


def say(scene: Scene, request: ResetRequest, verb: str, text: str) -> None:
    """Do it with this comment, as someone who may."""
    bob, digest = scene.cast.bob, request.plan_digest
    match verb:
        case "comment":
            actions.comment(request=request, by=bob, text=text)
        case "cancel":
            actions.cancel(request=request, by=scene.cast.alice, comment=text)
        case "approve":
            actions.approve(request=request, by=bob, seen_digest=digest, comment=text)
        case "reject":
            actions.reject(request=request, by=bob, seen_digest=digest, comment=text)
        case _:
            actions.approve(request=request, by=bob, seen_digest=digest)
            actions.withdraw(request=request, by=bob, seen_digest=digest, comment=text)
