"""Taking one's own approval back: who may, until when, and what becomes of the request."""

from __future__ import annotations

import html

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions, policies, queries
from kafkaconsole.resets.models import Approval, ResetRequest, Withdrawal
from kafkaconsole.resets.refusals import DigestOutdated, TakenBack
from kafkaconsole.resets.states import State
from tests import factories
from tests.approvals import making
from tests.scene import Scene


@pytest.fixture
def approved(scene: Scene) -> ResetRequest:
    return factories.request_in(State.APPROVED, scene.cast, scene.kafka)


def withdraw(request: ResetRequest, by: object, **fields: str) -> ResetRequest:
    return actions.withdraw(request=request, by=by, seen_digest=request.plan_digest, **fields)  # type: ignore[arg-type]


def test_an_approval_that_is_taken_back_no_longer_carries_the_request(scene: Scene, approved: ResetRequest) -> None:
    request = withdraw(approved, scene.cast.bob, comment="Wrong day")
    assert (request.state, request.approved_digest, request.nudge_at) == ("planned", "", None)
    assert policies.signoff_of(request).given == 0
    assert factories.execute(request, scene.kafka).state == "planned"
    assert scene.kafka.commits == []
    event = AuditEvent.objects.get(verb="reset.withdrawn")
    assert (event.actor, event.facts["digest"], event.facts["given"]) == (scene.cast.bob, approved.plan_digest, 0)
    entry = next(one for one in queries.timeline_of(request) if one.kind == "withdrawal")
    assert (entry.who, entry.text) == ("Bob", "Wrong day")


def test_also_while_it_waits_for_the_group(scene: Scene) -> None:
    waiting = factories.request_in(State.WAITING, scene.cast, scene.kafka)
    assert withdraw(waiting, scene.cast.bob).state == "planned"


def test_one_of_two_is_taken_back_before_the_other_signs(scene: Scene) -> None:
    making.change_builtin(making.own(2))
    request = factories.approve(factories.request_in(State.PLANNED, scene.cast, scene.kafka), scene.cast.bob)
    request = withdraw(request, scene.cast.bob)
    assert factories.approve(request, scene.cast.bora).state == "planned"
    assert policies.signoff_of(request).given == 1


def test_another_approver_signs_after_it(scene: Scene, approved: ResetRequest) -> None:
    request = factories.approve(withdraw(approved, scene.cast.bob), scene.cast.bora)
    assert factories.execute(request, scene.kafka).state == "applied"


def test_what_was_taken_back_stands_until_it_is_planned_again(scene: Scene, approved: ResetRequest) -> None:
    request = withdraw(approved, scene.cast.bob)
    with pytest.raises(TakenBack):
        factories.approve(request, scene.cast.bob)
    request = factories.plan(actions.replan(request=request, by=scene.cast.alice), scene.kafka)
    assert factories.approve(request, scene.cast.bob).state == "approved"


@pytest.mark.parametrize("name", ["alice", "amir", "bora", "carol", "dave", "eve"])
def test_nobody_takes_back_what_another_signed(scene: Scene, approved: ResetRequest, name: str) -> None:
    with pytest.raises(NotAllowed):
        withdraw(approved, getattr(scene.cast, name))
    assert not Withdrawal.objects.exists()


def test_taking_it_back_twice_is_refused_with_a_reason(scene: Scene, approved: ResetRequest) -> None:
    request = withdraw(approved, scene.cast.bob)
    with pytest.raises(NotAllowed) as refused:
        withdraw(request, scene.cast.bob)
    assert refused.value.facts["reason"] == "You have not approved this plan."


@pytest.mark.parametrize("state", [State.EXECUTING, State.APPLIED, State.STALE])
def test_it_is_too_late_once_a_worker_began(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    with pytest.raises(NotAllowed) as refused:
        withdraw(request, scene.cast.bob)
    assert "can no longer be taken back" in str(refused.value.facts["reason"])


def test_an_old_page_takes_nothing_back(scene: Scene, approved: ResetRequest) -> None:
    with pytest.raises(DigestOutdated):
        actions.withdraw(request=approved, by=scene.cast.bob, seen_digest="0" * 64)


def test_the_database_keeps_withdrawals_and_refuses_late_ones(scene: Scene, approved: ResetRequest) -> None:
    withdraw(approved, scene.cast.bob)
    applied = factories.request_in(State.APPLIED, scene.cast, scene.kafka)
    for change in (
        lambda: Withdrawal.objects.update(comment="x"),
        lambda: Withdrawal.objects.all().delete(),
        lambda: Withdrawal.objects.create(approval=Approval.objects.get(request=applied)),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_the_database_does_not_count_what_was_taken_back(scene: Scene, approved: ResetRequest) -> None:
    request = withdraw(approved, scene.cast.bob)
    with pytest.raises(IntegrityError, match="too few"), transaction.atomic():
        ResetRequest.objects.filter(pk=request.pk).update(state="approved", approved_digest=request.plan_digest)


def test_the_page_and_the_api_offer_it_to_who_signed(scene: Scene, approved: ResetRequest, client: Client) -> None:
    client.force_login(scene.cast.bora)
    assert "Take my approval back" not in client.get(f"/requests/{approved.pk}").content.decode()
    client.force_login(scene.cast.bob)
    assert "Take my approval back" in client.get(f"/requests/{approved.pk}").content.decode()
    answer = client.post(f"/requests/{approved.pk}/withdraw", {"digest": approved.plan_digest, "comment": ""})
    assert answer.status_code == 302
    page = html.unescape(client.get(f"/requests/{approved.pk}").content.decode())
    assert "taken back" in page and "took the approval back" in page
    told = client.get(f"/api/v1/requests/{approved.pk}").json()
    assert told["approvals"][0]["withdrawn_at"] is not None
