"""Withdrawing a request: by whom, and until when."""

from __future__ import annotations

import pytest

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, TeamRole
from tests import factories
from tests.scene import Scene

OPEN = [State.PLANNING, State.PLANNED, State.PLAN_FAILED, State.APPROVED, State.WAITING, State.STALE]
CLOSED = [
    State.EXECUTING,
    State.UNCERTAIN,
    State.APPLIED,
    State.PARTLY_APPLIED,
    State.FAILED,
    State.REJECTED,
    State.EXPIRED,
]


@pytest.mark.parametrize("state", OPEN)
def test_whoever_asked_withdraws_what_is_not_being_executed(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    request = actions.cancel(request=request, by=scene.cast.alice, comment="Not needed any more")
    assert (request.state, request.comments.get().text) == ("cancelled", "Not needed any more")
    assert AuditEvent.objects.get(verb="reset.cancelled").facts == {"state": state.value}


@pytest.mark.parametrize("state", CLOSED)
def test_nobody_withdraws_what_is_executing_or_over(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    with pytest.raises(NotAllowed):
        actions.cancel(request=request, by=scene.cast.alice)
    request.refresh_from_db()
    assert request.state == state


@pytest.mark.parametrize(
    ("name", "may"), [("amir", False), ("bob", False), ("carol", True), ("dave", False), ("eve", False)]
)
def test_only_an_administrator_withdraws_for_another(scene: Scene, name: str, may: bool) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    person = getattr(scene.cast, name)
    if may:
        assert actions.cancel(request=request, by=person).state == "cancelled"
    else:
        with pytest.raises(NotAllowed):
            actions.cancel(request=request, by=person)


def test_an_owner_of_the_team_withdraws(scene: Scene) -> None:
    Membership.objects.filter(user=scene.cast.bora).update(role=TeamRole.OWNER)
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    assert actions.cancel(request=request, by=scene.cast.bora).state == "cancelled"


def test_withdrawing_twice_is_once(scene: Scene) -> None:
    request = factories.ask(scene.cast.alice)
    for _ in range(2):
        actions.cancel(request=request, by=scene.cast.alice)
    assert AuditEvent.objects.filter(verb="reset.cancelled").count() == 1


def test_a_withdrawn_request_is_not_executed(scene: Scene) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    actions.cancel(request=request, by=scene.cast.alice)
    assert factories.execute(request, scene.kafka).state == "cancelled"
    assert scene.kafka.commits == []
