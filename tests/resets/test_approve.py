"""Approving: who may, which plan, in which state, twice, and two at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import ConsoleError, NotAllowed
from kafkaconsole.resets import actions, policies
from kafkaconsole.resets.models import Approval, Plan, ResetRequest
from kafkaconsole.resets.refusals import DecidedOtherwise, DigestOutdated, WrongState
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, TeamRole
from tests import factories
from tests.nudges import Sent
from tests.scene import Scene


@pytest.fixture
def planned(scene: Scene) -> ResetRequest:
    return factories.request_in(State.PLANNED, scene.cast, scene.kafka)


def test_an_approver_approves_and_a_worker_is_told(
    scene: Scene, planned: ResetRequest, sent: Sent, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        request = factories.approve(planned, scene.cast.bob)
    assert (request.state, request.approved_digest) == ("approved", planned.plan_digest)
    approval = request.approvals.get()
    assert (approval.by, approval.requester, approval.digest) == (scene.cast.bob, scene.cast.alice, planned.plan_digest)
    assert sent.messages == [("resets.execute", {"request_id": planned.pk})]
    event = AuditEvent.objects.get(verb="reset.approved")
    assert (event.actor, event.facts["digest"]) == (scene.cast.bob, planned.plan_digest)


@pytest.mark.parametrize("name", ["alice", "amir", "carol", "dave", "eve"])
def test_nobody_else_approves(scene: Scene, planned: ResetRequest, name: str) -> None:
    person = getattr(scene.cast, name)
    assert not policies.may_approve(person, planned)
    with pytest.raises(NotAllowed):
        factories.approve(planned, person)
    planned.refresh_from_db()
    assert (planned.state, planned.approvals.count()) == ("planned", 0)


def test_requester_cannot_approve_even_as_an_approver(scene: Scene, planned: ResetRequest) -> None:
    Membership.objects.filter(user=scene.cast.alice).update(role=TeamRole.APPROVER)
    with pytest.raises(NotAllowed) as refused:
        factories.approve(planned, scene.cast.alice)
    assert "someone else" in str(refused.value.facts["reason"])


def test_the_database_refuses_the_requesters_own_approval(scene: Scene, planned: ResetRequest) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        _forge(planned, by=scene.cast.alice)


def test_an_outdated_digest_is_refused(scene: Scene, planned: ResetRequest) -> None:
    with pytest.raises(DigestOutdated) as refused:
        actions.approve(request=planned, by=scene.cast.bob, seen_digest="0" * 64)
    assert refused.value.facts["current"] == planned.plan_digest


def test_a_plan_made_anew_is_not_approved_by_an_old_page(scene: Scene, planned: ResetRequest) -> None:
    seen = planned.plan_digest
    scene.kafka.set_committed(factories.GROUP, {factories.hello(0): factories.at(1)})
    factories.plan(actions.replan(request=planned, by=scene.cast.amir), scene.kafka)
    with pytest.raises(DigestOutdated):
        actions.approve(request=planned, by=scene.cast.bob, seen_digest=seen)


@pytest.mark.parametrize(
    "state",
    [State.APPROVED, State.REJECTED, State.CANCELLED, State.EXPIRED, State.APPLIED, State.STALE, State.WAITING],
)
def test_only_a_planned_request_is_approved(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    with pytest.raises(WrongState):
        factories.approve(request, scene.cast.bora)
    request.refresh_from_db()
    assert request.state == state


def test_approving_twice_is_one_approval(scene: Scene, planned: ResetRequest) -> None:
    factories.approve(planned, scene.cast.bob)
    again = factories.approve(planned, scene.cast.bob)
    assert (again.state, again.approvals.count()) == ("approved", 1)
    assert AuditEvent.objects.filter(verb="reset.approved").count() == 1


def test_whoever_rejected_a_plan_cannot_approve_it(scene: Scene, planned: ResetRequest) -> None:
    actions.reject(request=planned, by=scene.cast.bob, seen_digest=planned.plan_digest, comment="No")
    with pytest.raises(DecidedOtherwise):
        factories.approve(planned, scene.cast.bob)


def test_an_approval_of_another_plan_is_refused_by_the_database(scene: Scene, planned: ResetRequest) -> None:
    for forged in ({"digest": "0" * 64}, {"requester": scene.cast.amir}):
        with pytest.raises(IntegrityError), transaction.atomic():
            _forge(planned, by=scene.cast.bob, **forged)


def test_a_request_is_not_approved_without_an_approval(planned: ResetRequest) -> None:
    rows = ResetRequest.objects.filter(pk=planned.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(state=State.APPROVED, approved_digest=planned.plan_digest)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(state=State.APPROVED)


def test_a_signature_stays(scene: Scene, planned: ResetRequest) -> None:
    factories.approve(planned, scene.cast.bob)
    with pytest.raises(IntegrityError), transaction.atomic():
        Approval.objects.update(by=scene.cast.bora)
    with pytest.raises(IntegrityError), transaction.atomic():
        Approval.objects.all().delete()


def test_an_approved_plan_cannot_be_changed(scene: Scene, planned: ResetRequest) -> None:
    plan = planned.the_plan
    for change in (
        lambda: Plan.objects.filter(pk=plan.pk).update(replayed=0),
        lambda: plan.lines.update(target=2),
        lambda: plan.lines.all().delete(),
        lambda: plan.lines.create(topic="x", partition=0, action="leave"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_a_request_cannot_take_another_requests_plan(scene: Scene, planned: ResetRequest) -> None:
    other = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    with pytest.raises(IntegrityError), transaction.atomic():
        ResetRequest.objects.filter(pk=planned.pk).update(plan=other.plan, plan_digest=other.plan_digest)


@pytest.mark.django_db(transaction=True)
def test_two_approvers_at_once_make_one_approval(scene: Scene) -> None:
    planned = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    refused = _at_once(
        lambda: factories.approve(planned, scene.cast.bob), lambda: factories.approve(planned, scene.cast.bora)
    )
    assert [type(one) for one in refused] == [WrongState]
    planned.refresh_from_db()
    assert (planned.state, planned.approvals.count()) == ("approved", 1)
    assert AuditEvent.objects.filter(verb="reset.approved").count() == 1


@pytest.mark.django_db(transaction=True)
def test_approve_and_reject_at_once_give_one_of_the_two(scene: Scene) -> None:
    planned = factories.request_in(State.PLANNED, scene.cast, scene.kafka)

    def say_no() -> None:
        actions.reject(request=planned, by=scene.cast.bora, seen_digest=planned.plan_digest, comment="No")

    refused = _at_once(lambda: factories.approve(planned, scene.cast.bob), say_no)
    planned.refresh_from_db()
    assert len(refused) == 1 and planned.approvals.count() == 1
    assert planned.state in (State.APPROVED, State.REJECTED)


def _forge(planned: ResetRequest, **fields: object) -> None:
    genuine = {
        "request": planned,
        "plan": planned.plan,
        "digest": planned.plan_digest,
        "requester": planned.requester,
        "decision": "approved",
        "at": timezone.now(),
    }
    Approval.objects.create(**{**genuine, **fields})


def _at_once(*calls: Callable[[], object]) -> list[ConsoleError]:
    """Run the calls in threads that start together; what was refused."""
    gate, refused = threading.Barrier(len(calls)), []

    def run(call: Callable[[], object]) -> None:
        gate.wait(timeout=20)
        try:
            call()
        except ConsoleError as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return refused
