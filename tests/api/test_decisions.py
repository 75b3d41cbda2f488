"""Approve, reject, cancel, replan, comment, undo: as the wrong person, in the wrong state, on an outdated plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from kafkaconsole.resets.models import Attempt, AttemptResult, ResetRequest
from kafkaconsole.resets.states import State
from tests.api.calling import Api
from tests.records.scene import Scene


@pytest.fixture
def sign(planned: ResetRequest) -> dict[str, Any]:
    """What an approver sends who saw this plan."""
    return {"digest": planned.plan_digest, "comment": "Looks right"}


def state_of(request: ResetRequest) -> str:
    request.refresh_from_db()
    return str(request.state)


def test_an_approver_approves(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, sign: dict[str, Any]
) -> None:
    answer = api(scene.bob).post(f"/requests/{planned.pk}/approve", sign)
    assert (answer.status, answer.json["state"]) == (200, "approved")
    [approval] = answer.json["approvals"]
    assert (approval["by"], approval["decision"], approval["comment"]) == ("bob", "approved", "Looks right")
    assert answer.json["policy"]["given"] == 1


@pytest.mark.parametrize(
    ("person", "status"), [("alice", 403), ("amir", 403), ("carol", 403), ("eve", 403), ("dave", 404)]
)
@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_nobody_else_decides(
    scene: Scene,
    api: Callable[..., Api],
    planned: ResetRequest,
    sign: dict[str, Any],
    person: str,
    status: int,
    verb: str,
) -> None:
    answer = api(getattr(scene, person)).post(f"/requests/{planned.pk}/{verb}", sign)
    assert answer.status == status
    assert state_of(planned) == "planned"


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_a_decision_on_another_plan_is_409(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, verb: str
) -> None:
    answer = api(scene.bob).post(f"/requests/{planned.pk}/{verb}", {"digest": "e" * 64, "comment": "No"})
    assert (answer.status, answer.code) == (409, "approval.digest_outdated")
    assert state_of(planned) == "planned"


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_a_decision_in_the_wrong_state_is_409(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, sign: dict[str, Any], verb: str
) -> None:
    ResetRequest.objects.filter(pk=planned.pk).update(state=State.STALE)
    assert api(scene.bob).post(f"/requests/{planned.pk}/{verb}", sign).status == 409
    assert state_of(planned) == "stale"


def test_a_digest_is_never_guessed(scene: Scene, api: Callable[..., Api], planned: ResetRequest) -> None:
    for body in ({}, {"digest": ""}, {"digest": None}, {"digest": planned.plan_digest, "force": True}):
        assert api(scene.bob).post(f"/requests/{planned.pk}/approve", body).status == 422
    assert state_of(planned) == "planned"


def test_a_rejection_says_why(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, sign: dict[str, Any]
) -> None:
    silent = api(scene.bob).post(f"/requests/{planned.pk}/reject", {"digest": planned.plan_digest})
    assert (silent.status, silent.code) == (422, "reset.comment_needed")
    assert api(scene.bob).post(f"/requests/{planned.pk}/reject", sign).json["state"] == "rejected"


def test_the_requester_cancels_and_an_outsider_cannot(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest
) -> None:
    assert api(scene.dave).post(f"/requests/{planned.pk}/cancel", {}).status == 404
    assert api(scene.amir).post(f"/requests/{planned.pk}/cancel", {}).status == 403
    assert (
        api(scene.alice).post(f"/requests/{planned.pk}/cancel", {"comment": "Not needed"}).json["state"] == "cancelled"
    )
    assert api(scene.alice).post(f"/requests/{planned.pk}/cancel", {}).json["state"] == "cancelled"  # a double click


def test_planning_again_voids_the_plan(scene: Scene, api: Callable[..., Api], planned: ResetRequest) -> None:
    assert api(scene.eve).post(f"/requests/{planned.pk}/replan").status == 403
    answer = api(scene.amir).post(f"/requests/{planned.pk}/replan")
    assert (answer.json["state"], answer.json["plan"], answer.json["digest"]) == ("planning", None, None)


def test_people_of_the_team_comment_and_auditors_do_not(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest
) -> None:
    answer = api(scene.bob).post(f"/requests/{planned.pk}/comment", {"text": "Why from the start?"})
    assert answer.json["comments"][0]["text"] == "Why from the start?"
    assert answer.json["unknown_names"] == []
    named = api(scene.bob).post(f"/requests/{planned.pk}/comment", {"text": "@alice, @dave, @nobody: why?"})
    assert named.json["unknown_names"] == ["dave", "nobody"]
    assert api(scene.eve).post(f"/requests/{planned.pk}/comment", {"text": "Hm"}).status == 403
    assert api(scene.bob).post(f"/requests/{planned.pk}/comment", {"text": ""}).status == 422


def applied(request: ResetRequest) -> None:
    """As a worker left it: partition 0 stood at 7 and went to 3."""
    now = timezone.now()
    attempt = Attempt.objects.create(
        request=request, plan=request.the_plan, number=1, cluster=request.cluster, group_name=request.group_name,
        state="applied", snapshot_at=now, write_began_at=now, ended_at=now, lease_until=now,
    )  # fmt: skip
    AttemptResult.objects.create(attempt=attempt, topic="hello", partition=0, before=7, target=3, after=3, state="done")
    ResetRequest.objects.filter(pk=request.pk).update(state=State.APPLIED)


def test_undo_makes_a_request_that_names_the_old_one(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, sign: dict[str, Any]
) -> None:
    undo, body = f"/requests/{planned.pk}/undo", {"reason": "Wrong"}
    early = api(scene.alice).post(undo, body)
    assert early.status == 403 and "only what was applied" in early.json["detail"]
    assert api(scene.bob).post(f"/requests/{planned.pk}/approve", sign).status == 200
    applied(planned)
    assert api(scene.dave).post(undo, body).status == 404
    answer = api(scene.amir).post(undo, body)
    assert (answer.status, answer.json["state"], answer.json["undo_of"]) == (201, "planning", planned.pk)
    assert answer.json["change"]["strategy"]["kind"] == "restore"
    assert answer.json["change"]["scope"] == {"topics": [{"topic": "hello", "partitions": [0]}]}
