"""Between a signature and its execution people lose roles and leave: then nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.approvals import messages
from kafkaconsole.approvals.errors import ApprovalTooOld
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.clusters.models import EnvironmentRight
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions, policies, queries
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, TeamRole
from tests import factories
from tests.approvals import making
from tests.scene import Scene


@pytest.fixture
def approved(scene: Scene) -> ResetRequest:
    return factories.request_in(State.APPROVED, scene.cast, scene.kafka)


def _sent_back(scene: Scene, request: ResetRequest, code: str) -> str:
    """It is back in planned with this problem, unsigned, with a record, and nothing was written; the sentence."""
    assert (request.state, request.approved_digest, request.nudge_at) == ("planned", "", None)
    trouble = factories.trouble(request)
    assert trouble["code"] == code
    assert scene.kafka.commits == [] and not request.attempts.exists()
    event = AuditEvent.objects.get(verb="reset.sent_back")
    assert (event.actor, event.facts["problem"]) == (None, trouble)
    return messages.sentence(code, trouble["facts"])


def _lose_membership(bob: User) -> None:
    Membership.objects.filter(user=bob).delete()


def _become_member(bob: User) -> None:
    Membership.objects.filter(user=bob).update(role=TeamRole.MEMBER)


def _leave(bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)


def _audit(bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(role=GlobalRole.AUDITOR)


@pytest.mark.parametrize("lose", [_lose_membership, _become_member, _leave, _audit])
def test_an_approver_who_lost_the_role_no_longer_counts(scene: Scene, approved: ResetRequest, lose: object) -> None:
    lose(scene.cast.bob)  # type: ignore[operator]
    said = _sent_back(scene, factories.execute(approved, scene.kafka), "approval.no_longer_counts")
    assert "Bob no longer has the role" in said and "It needs an approver of Billing" in said
    assert policies.signoff_of(approved).given == 0


def test_also_while_it_waits_for_the_group(scene: Scene) -> None:
    waiting = factories.request_in(State.WAITING, scene.cast, scene.kafka)
    _leave(scene.cast.bob)
    _sent_back(scene, factories.execute(waiting, scene.kafka), "approval.no_longer_counts")


def test_another_approver_signs_what_was_sent_back(scene: Scene, approved: ResetRequest) -> None:
    _become_member(scene.cast.bob)
    request = factories.execute(approved, scene.kafka)
    request = factories.approve(request, scene.cast.bora)
    assert (request.state, request.problem) == ("approved", None)
    assert factories.execute(request, scene.kafka).state == "applied"


def test_who_has_the_role_back_presses_again_and_it_counts(scene: Scene, approved: ResetRequest) -> None:
    _become_member(scene.cast.bob)
    request = factories.execute(approved, scene.kafka)
    assert factories.approve(request, scene.cast.bob).state == "planned"
    Membership.objects.filter(user=scene.cast.bob).update(role=TeamRole.APPROVER)
    assert factories.approve(request, scene.cast.bob).state == "approved"
    assert request.approvals.count() == 1
    assert AuditEvent.objects.filter(verb="reset.approved").count() == 2


def test_a_spare_signature_takes_the_place_of_a_lost_one(scene: Scene) -> None:
    operations = making.make_operations(scene.cast)
    Membership.objects.create(team=operations, user=scene.cast.bob, role=TeamRole.APPROVER)
    making.make_policy("Both", making.own(), making.of(operations), team=scene.cast.billing)
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    for person in (scene.cast.bob, scene.cast.carol):
        request = factories.approve(request, person)
    assert request.state == "approved"
    Membership.objects.filter(user=scene.cast.bob, team=operations).delete()
    assert factories.execute(request, scene.kafka).state == "applied"


def test_a_requester_who_left_is_not_carried_out_nor_signed(scene: Scene, approved: ResetRequest) -> None:
    _leave(scene.cast.alice)
    request = factories.execute(approved, scene.kafka)
    said = _sent_back(scene, request, "approval.requester_left")
    assert "Someone of Billing can ask anew" in said
    with pytest.raises(NotAllowed) as refused:
        factories.approve(request, scene.cast.bora)
    assert "may no longer sign in" in str(refused.value.facts["reason"])
    assert request not in queries.inbox_of(scene.cast.bora)
    assert actions.cancel(request=request, by=scene.cast.carol).state == "cancelled"


def test_what_was_applied_stays_signed_when_the_approver_leaves(scene: Scene) -> None:
    request = factories.request_in(State.APPLIED, scene.cast, scene.kafka)
    _leave(scene.cast.bob)
    assert policies.signoff_of(request).is_complete


def test_an_old_approval_makes_the_plan_stale(scene: Scene) -> None:
    making.change_builtin(making.own(), terms={"approval_life": timedelta(hours=4)})
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    with time_machine.travel(timezone.now() + timedelta(hours=4, seconds=1)):
        request = factories.execute(request, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("stale", "approval.too_old")
    assert scene.kafka.commits == []
    assert "Plan again" in messages.sentence("approval.too_old", factories.trouble(request)["facts"])


def test_an_approval_within_its_life_carries(scene: Scene) -> None:
    making.change_builtin(making.own(), terms={"approval_life": timedelta(hours=4)})
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    with time_machine.travel(timezone.now() + timedelta(hours=3, minutes=59)):
        assert factories.execute(request, scene.kafka).state == "applied"


def test_nobody_signs_beside_an_approval_that_is_too_old(scene: Scene) -> None:
    making.change_builtin(making.own(2), terms={"approval_life": timedelta(hours=4)})
    request = factories.approve(factories.request_in(State.PLANNED, scene.cast, scene.kafka), scene.cast.bob)
    with time_machine.travel(timezone.now() + timedelta(hours=5)), pytest.raises(ApprovalTooOld):
        factories.approve(request, scene.cast.bora)


def test_the_page_says_why_it_was_sent_back(scene: Scene, approved: ResetRequest, client: Client) -> None:
    _become_member(scene.cast.bob)
    factories.execute(approved, scene.kafka)
    client.force_login(scene.cast.alice)
    page = client.get(f"/requests/{approved.pk}").content.decode()
    assert "Bob no longer has the role" in page
    assert "sent it back: a signature no longer counts" in page


def test_an_approval_that_is_too_old_is_never_told_without_its_facts() -> None:
    with pytest.raises(TypeError, match="expected by, at, life_s, policy"):
        ApprovalTooOld.of({"code": "approval.too_old", "facts": None})


@pytest.fixture
def unsigned(scene: Scene) -> ResetRequest:
    """Approved by its policy, which needs no signature."""
    making.change_builtin()
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    assert (request.state, request.approvals.count()) == (State.APPROVED, 0)
    return request


def _take_the_right_to_ask(scene: Scene) -> None:
    EnvironmentRight.objects.create(
        environment=scene.cluster.environment, holder="member", right="request", is_allowed=False
    )


def _take_the_membership(scene: Scene) -> None:
    Membership.objects.filter(user=scene.cast.alice).delete()


def _make_an_auditor(scene: Scene) -> None:
    _audit(scene.cast.alice)


def _give_the_group_away(scene: Scene) -> None:
    factories.give_groups(scene.cast.search, "billing-orders")


@pytest.mark.parametrize("take", [_take_the_right_to_ask, _take_the_membership, _make_an_auditor, _give_the_group_away])
def test_where_nobody_signs_the_requester_must_still_have_the_right_to_ask(
    scene: Scene, unsigned: ResetRequest, take: Callable[[Scene], None]
) -> None:
    take(scene)
    request = factories.execute(unsigned, scene.kafka)
    trouble = factories.trouble(request)
    assert (request.state, trouble["code"]) == (State.STALE, "approval.requester_may_not_ask")
    assert scene.kafka.commits == [] and not request.attempts.exists()
    event = AuditEvent.objects.get(verb="reset.stale")
    assert (event.actor, event.facts["problem"]) == (None, trouble)
    said = messages.sentence(str(trouble["code"]), trouble["facts"])
    assert said.startswith(f"Alice may not ask for resets of {factories.GROUP} any more")


def test_where_nobody_signs_the_right_to_ask_carries(scene: Scene, unsigned: ResetRequest) -> None:
    assert factories.execute(unsigned, scene.kafka).state == State.APPLIED


def test_where_somebody_signed_the_signature_stands_without_the_right_to_ask(
    scene: Scene, approved: ResetRequest
) -> None:
    _take_the_right_to_ask(scene)
    assert factories.execute(approved, scene.kafka).state == State.APPLIED


def test_planned_again_it_is_carried_out_only_once_the_right_is_back(scene: Scene, unsigned: ResetRequest) -> None:
    _take_the_right_to_ask(scene)
    request = factories.execute(unsigned, scene.kafka)
    for expected in (State.STALE, State.APPLIED):
        actions.replan(request=request, by=scene.cast.bob)
        request = factories.execute(factories.plan(request, scene.kafka), scene.kafka)
        assert request.state == expected
        EnvironmentRight.objects.all().delete()


def test_who_changed_it_last_answers_for_it(scene: Scene, unsigned: ResetRequest) -> None:
    _take_the_right_to_ask(scene)
    change = factories.make_change(strategy={"kind": "to_latest"})
    actions.revise(request=unsigned, by=scene.cast.bob, change_json=change, reason="Skip them", seen=1)
    request = factories.plan(unsigned, scene.kafka)
    assert factories.execute(request, scene.kafka).state == State.APPLIED
