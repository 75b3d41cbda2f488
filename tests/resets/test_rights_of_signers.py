"""Who may sign in an environment: asked for the button, the inbox, the list of approvers, and again before the write."""

from __future__ import annotations

import pytest
from django.http import Http404

from kafkaconsole.clusters.models import EnvironmentRight
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions, policies, queries
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership
from tests import factories
from tests.approvals import making
from tests.scene import Scene


def forbid(scene: Scene, holder: str, right: str) -> None:
    EnvironmentRight.objects.create(environment=scene.cluster.environment, holder=holder, right=right, is_allowed=False)


def test_approver_without_the_right_signs_nothing_and_is_asked_for_nothing(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    forbid(scene, "approver", "approve")
    bob = scene.cast.bob
    assert policies.may_approve(bob, request).reason == (
        "Your role in the team may not sign in Staging. An administrator can change that."
    )
    with pytest.raises(NotAllowed):
        factories.approve(request, bob)
    assert not queries.inbox_of(bob).exists()
    assert list(queries.approvers_waited_for(request)) == []
    Membership.objects.filter(user=bob).update(role="owner")
    assert list(queries.inbox_of(bob)) == [request]
    assert list(queries.approvers_waited_for(request)) == [bob]
    assert factories.approve(request, bob).state == State.APPROVED


def test_signature_of_a_role_that_lost_the_right_does_not_carry_the_request(scene: Scene) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    forbid(scene, "approver", "approve")
    before = factories.offsets_in(scene.kafka)
    request = factories.execute(request, scene.kafka)
    assert request.state not in (State.APPLIED, State.EXECUTING)
    assert factories.offsets_in(scene.kafka) == before


def test_signer_of_another_team_sees_the_request_that_a_policy_asks_them_to_sign(scene: Scene) -> None:
    Membership.objects.filter(user=scene.cast.dave).update(role="approver")
    making.change_builtin(making.own(1), making.other(1))
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    forbid(scene, "outsider", "see")
    assert queries.request_for(scene.cast.dave, request.pk) == request
    forbid(scene, "approver", "approve")
    with pytest.raises(Http404):
        queries.request_for(scene.cast.dave, request.pk)


def test_requests_of_an_environment_that_is_not_shown_to_a_role_are_not_there(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    assert policies.may_see(scene.cast.alice, request)
    forbid(scene, "member", "see")
    with pytest.raises(Http404):
        queries.request_for(scene.cast.alice, request.pk)
    assert not policies.may_see(scene.cast.alice, request)
    assert queries.requests_for(scene.cast.bob).count() == 1
    assert queries.requests_for(scene.cast.carol).count() == 1
    assert queries.requests_for(scene.cast.eve).count() == 1


def test_requester_who_left_the_team_keeps_the_request_only_while_outsiders_see(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    Membership.objects.filter(user=scene.cast.alice).delete()
    assert queries.request_for(scene.cast.alice, request.pk) == request
    forbid(scene, "outsider", "see")
    with pytest.raises(Http404):
        queries.request_for(scene.cast.alice, request.pk)


def test_nobody_copies_the_offsets_of_a_group_that_is_not_shown_to_them(scene: Scene) -> None:
    change = factories.make_change(strategy={"kind": "copy_group", "from_group": "search-index"})
    actions.preview(by=scene.cast.alice, change_json=change)
    forbid(scene, "outsider", "see")
    with pytest.raises(NotAllowed) as refused:
        actions.preview(by=scene.cast.alice, change_json=change)
    assert "not shown" in str(refused.value.facts["reason"])


def test_preview_is_gone_once_its_group_is_no_longer_shown(scene: Scene) -> None:
    made = actions.preview(by=scene.cast.alice, change_json=factories.make_change())
    assert queries.preview_for(scene.cast.alice, made.pk) == made
    forbid(scene, "member", "see")
    with pytest.raises(Http404):
        queries.preview_for(scene.cast.alice, made.pk)
