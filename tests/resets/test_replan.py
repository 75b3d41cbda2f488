"""Planning again: what was signed is void."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions, policies, queries
from kafkaconsole.resets.errors import StateMoved
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.scene import Scene


@pytest.mark.parametrize("state", [State.PLANNED, State.APPROVED, State.WAITING, State.STALE])
def test_a_new_plan_voids_the_approvals(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    signed = request.plan_digest
    scene.kafka.leave(factories.GROUP)
    request = actions.replan(request=request, by=scene.cast.amir)
    assert (request.state, request.plan, request.approved_digest, request.problem) == ("planning", None, "", None)
    scene.kafka.set_committed(factories.GROUP, {factories.hello(0): factories.at(2)})
    request = factories.plan(request, scene.kafka)
    assert request.state == "planned" and request.plan_digest != signed
    assert request.plans.count() == 2  # the earlier plan stays as what was signed
    assert factories.execute(request, scene.kafka).state == "planned"
    assert factories.approve(request, scene.cast.bob).state == "approved"
    assert AuditEvent.objects.get(verb="reset.replanned").facts == {"state": state.value, "digest": signed}


@pytest.mark.parametrize("state", [State.APPROVED, State.WAITING])
def test_the_same_numbers_planned_anew_are_signed_anew_by_the_same_person(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    signed = request.plan_digest
    scene.kafka.leave(factories.GROUP)
    request = factories.plan(actions.replan(request=request, by=scene.cast.amir), scene.kafka)
    assert (request.state, request.plan_digest) == ("planned", signed)
    assert policies.signoff_of(request).given == 0
    assert list(queries.inbox_of(scene.cast.bob)) == [request]
    request = factories.approve(request, scene.cast.bob)
    assert (request.state, policies.signoff_of(request).given, request.approvals.count()) == ("approved", 1, 2)
    assert factories.execute(request, scene.kafka).state == "applied"


def test_the_database_takes_no_signature_of_an_earlier_plan(scene: Scene) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    request = factories.plan(actions.replan(request=request, by=scene.cast.amir), scene.kafka)
    with pytest.raises(IntegrityError), transaction.atomic():
        ResetRequest.objects.filter(pk=request.pk).update(state=State.APPROVED, approved_digest=request.plan_digest)


@pytest.mark.parametrize("state", [State.EXECUTING, State.APPLIED, State.REJECTED, State.CANCELLED, State.EXPIRED])
def test_what_is_executing_or_over_is_not_planned_again(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    with pytest.raises(NotAllowed):
        actions.replan(request=request, by=scene.cast.alice)


@pytest.mark.parametrize("name", ["carol", "dave", "eve"])
def test_only_the_team_has_it_planned_again(scene: Scene, name: str) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    with pytest.raises(NotAllowed):
        actions.replan(request=request, by=getattr(scene.cast, name))


def test_planning_again_twice_is_told(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    actions.replan(request=request, by=scene.cast.alice)
    with pytest.raises(StateMoved):
        actions.replan(request=request, by=scene.cast.alice)


def test_a_failed_plan_is_planned_again(scene: Scene) -> None:
    request = factories.request_in(State.PLAN_FAILED, scene.cast, scene.kafka)
    scene.kafka.add_topic("hello", 1)
    request = factories.plan(actions.replan(request=request, by=scene.cast.alice), scene.kafka)
    assert request.state == "planned"
