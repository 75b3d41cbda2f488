"""Saying something on a request."""

from __future__ import annotations

import pytest

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions
from kafkaconsole.resets.refusals import BadRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.scene import Scene


@pytest.mark.parametrize(
    ("name", "may"), [("amir", True), ("bob", True), ("carol", True), ("dave", False), ("eve", False)]
)
def test_whoever_may_see_a_request_may_comment_but_for_auditors(scene: Scene, name: str, may: bool) -> None:
    request = factories.ask(scene.cast.alice)
    person = getattr(scene.cast, name)
    if may:
        assert actions.comment(request=request, by=person, text="Please wait for the release").by == person
    else:
        with pytest.raises(NotAllowed):
            actions.comment(request=request, by=person, text="Let me in")


def test_a_comment_is_possible_when_all_is_over(scene: Scene) -> None:
    request = factories.request_in(State.APPLIED, scene.cast, scene.kafka)
    actions.comment(request=request, by=scene.cast.bob, text="Thanks")
    assert AuditEvent.objects.get(verb="reset.commented").facts == {"comment": request.comments.get().pk}


@pytest.mark.parametrize("text", ["", "   ", "x" * 10_001, "a\0b"])
def test_an_empty_or_endless_comment_is_refused(scene: Scene, text: str) -> None:
    with pytest.raises(BadRequest):
        actions.comment(request=factories.ask(scene.cast.alice), by=scene.cast.alice, text=text)
