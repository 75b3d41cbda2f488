"""Rejecting: by whom, of which plan, with a reason."""

from __future__ import annotations

import pytest

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.refusals import CommentNeeded, DecidedOtherwise, DigestOutdated, WrongState
from kafkaconsole.resets.states import State
from tests import factories
from tests.scene import Scene


@pytest.fixture
def planned(scene: Scene) -> ResetRequest:
    return factories.request_in(State.PLANNED, scene.cast, scene.kafka)


def test_an_approver_rejects_with_a_reason(scene: Scene, planned: ResetRequest) -> None:
    request = actions.reject(request=planned, by=scene.cast.bora, seen_digest=planned.plan_digest, comment="Too early")
    approval = request.approvals.get()
    assert (request.state, approval.decision, approval.comment) == ("rejected", "rejected", "Too early")
    assert AuditEvent.objects.get(verb="reset.rejected").actor == scene.cast.bora


def test_a_rejection_without_a_reason_is_refused(scene: Scene, planned: ResetRequest) -> None:
    with pytest.raises(CommentNeeded):
        actions.reject(request=planned, by=scene.cast.bob, seen_digest=planned.plan_digest, comment="  ")
    planned.refresh_from_db()
    assert planned.state == "planned"


@pytest.mark.parametrize("name", ["alice", "amir", "carol", "dave", "eve"])
def test_nobody_else_rejects(scene: Scene, planned: ResetRequest, name: str) -> None:
    with pytest.raises(NotAllowed):
        actions.reject(request=planned, by=getattr(scene.cast, name), seen_digest=planned.plan_digest, comment="No")


def test_an_outdated_digest_is_refused(scene: Scene, planned: ResetRequest) -> None:
    with pytest.raises(DigestOutdated):
        actions.reject(request=planned, by=scene.cast.bob, seen_digest="f" * 64, comment="No")


def test_rejecting_twice_is_one_rejection(scene: Scene, planned: ResetRequest) -> None:
    for _ in range(2):
        actions.reject(request=planned, by=scene.cast.bob, seen_digest=planned.plan_digest, comment="No")
    assert planned.approvals.count() == 1


def test_an_approved_request_cannot_be_rejected(scene: Scene, planned: ResetRequest) -> None:
    factories.approve(planned, scene.cast.bob)
    with pytest.raises(WrongState):
        actions.reject(request=planned, by=scene.cast.bora, seen_digest=planned.plan_digest, comment="No")
    with pytest.raises(DecidedOtherwise):
        actions.reject(request=planned, by=scene.cast.bob, seen_digest=planned.plan_digest, comment="No")
