"""The policy of a plan: how many sign, who, what is asked for besides, and that it stays as it was."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from kafkaconsole.accounts.models import User
from kafkaconsole.approvals.errors import AmbiguousPolicy
from kafkaconsole.approvals.models import Need, Policy, PolicyVersion
from kafkaconsole.approvals.quorum import Least
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions, policies, queries
from kafkaconsole.resets.models import Approval, ResetRequest
from kafkaconsole.resets.refusals import BadRequest
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, TeamRole
from tests import factories
from tests.approvals import making
from tests.nudges import Sent
from tests.scene import Scene


def planned(scene: Scene, **fields: object) -> ResetRequest:
    return factories.request_in(State.PLANNED, scene.cast, scene.kafka, **fields)


def everyone(scene: Scene) -> list[User]:
    return list(User.objects.order_by("username"))


def test_without_another_policy_the_builtin_one_is_pinned_with_the_risk(scene: Scene) -> None:
    plan = planned(scene).the_plan
    assert plan.policy_version == Policy.objects.get(is_builtin=True).current
    assert plan.risk is not None
    assert [one["code"] for one in plan.risk["reasons"]] == ["risk.replays_share"]


def test_two_approvals_are_two_people(scene: Scene) -> None:
    making.make_policy("Two", making.own(2), environment=scene.cluster.environment)
    request = planned(scene)
    assert policies.signoff_of(request) == policies.SignOff(2, 0, "2 approvers of Billing other than Alice")
    request = factories.approve(request, scene.cast.bob)
    assert (request.state, request.approved_digest) == ("planned", "")
    assert policies.signoff_of(request) == policies.SignOff(2, 1, "an approver of Billing other than Alice")
    assert factories.approve(request, scene.cast.bob).state == "planned"
    request = factories.approve(request, scene.cast.bora)
    assert request.state == "approved"
    assert policies.signoff_of(request).is_complete


def test_the_database_counts_the_approvals(scene: Scene) -> None:
    making.make_policy("Two", making.own(2), environment=scene.cluster.environment)
    request = factories.approve(planned(scene), scene.cast.bob)
    with pytest.raises(IntegrityError, match="too few"), transaction.atomic():
        ResetRequest.objects.filter(pk=request.pk).update(state="approved", approved_digest=request.plan_digest)


def test_one_of_the_team_and_one_of_operations(scene: Scene) -> None:
    operations = making.make_operations(scene.cast)
    making.make_policy("Both", making.own(), making.of(operations), level="raised")
    request = planned(scene)
    assert policies.signoff_of(request).who == ("an approver of Billing and an approver of Operations other than Alice")
    request = factories.approve(request, scene.cast.bob)
    assert policies.signoff_of(request).who == "an approver of Operations other than Alice"
    request = factories.approve(request, scene.cast.bora)
    assert request.state == "planned"
    assert factories.approve(request, scene.cast.carol).state == "approved"


def test_another_team_that_is_asked_sees_the_request_and_signs(scene: Scene) -> None:
    request = planned(scene)
    assert not queries.requests_for(scene.cast.dave).exists()
    making.make_policy("Outside", making.other(), team=scene.cast.billing)
    making.make_search_approver(scene.cast)
    request = factories.plan(actions.replan(request=request, by=scene.cast.alice), scene.kafka)
    assert list(queries.inbox_of(scene.cast.dave)) == [request]
    assert not policies.may_approve(scene.cast.bob, request)
    assert factories.approve(request, scene.cast.dave).state == "approved"


def test_an_approver_is_not_enough_where_owners_are_asked(scene: Scene) -> None:
    making.make_policy("Owners", making.own(1, Least.OWNER), team=scene.cast.billing)
    request = planned(scene)
    with pytest.raises(NotAllowed) as refused:
        factories.approve(request, scene.cast.bob)
    assert refused.value.facts["reason"] == "Only owners of the team Billing can approve this."
    Membership.objects.filter(user=scene.cast.bob).update(role=TeamRole.OWNER)
    assert factories.approve(request, scene.cast.bob).state == "approved"


def test_the_requester_signs_where_the_policy_says_so_and_the_record_says_so_too(scene: Scene) -> None:
    Membership.objects.filter(user=scene.cast.alice).update(role=TeamRole.APPROVER)
    making.make_policy("Own", making.own(), requester_may_count=True, group_kind="prefix", group_pattern="billing")
    request = planned(scene)
    assert policies.signoff_of(request).who == "an approver of Billing"
    assert list(queries.inbox_of(scene.cast.alice)) == [request]
    request = factories.approve(request, scene.cast.alice)
    assert (request.state, request.approvals.get().requester_allowed) == ("approved", True)


def test_a_requester_without_the_role_does_not_sign_either(scene: Scene) -> None:
    making.make_policy("Own", making.own(), requester_may_count=True, team=scene.cast.billing)
    assert not policies.may_approve(scene.cast.alice, planned(scene))


def test_the_database_refuses_the_requester_where_the_policy_does_not_name_them(scene: Scene) -> None:
    request = planned(scene)
    with pytest.raises(IntegrityError, match="does not let the requester"), transaction.atomic():
        Approval.objects.create(
            request=request,
            plan=request.the_plan,
            digest=request.plan_digest,
            by=scene.cast.alice,
            requester=scene.cast.alice,
            requester_allowed=True,
            decision="approved",
        )


def test_a_policy_that_needs_nobody_approves_what_is_planned(
    scene: Scene, sent: Sent, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    making.make_policy("Free", environment=scene.cluster.environment)
    request = factories.ask(scene.cast.alice)
    with django_capture_on_commit_callbacks(execute=True):
        request = factories.plan(request, scene.kafka)
    assert (request.state, request.approved_digest) == ("approved", request.plan_digest)
    assert ("resets.execute", {"request_id": request.pk}) in sent.messages
    assert policies.signoff_of(request) == policies.SignOff(0, 0, "nobody")
    assert factories.execute(request, scene.kafka).state == "applied"


def test_a_tie_is_told_when_it_is_asked_and_when_it_is_planned(scene: Scene) -> None:
    request = factories.ask(scene.cast.alice)
    making.make_policy("Staging", making.own(), environment=scene.cluster.environment)
    making.make_policy("Billing", making.own(2), team=scene.cast.billing)
    request = factories.plan(request, scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("plan_failed", "policy.ambiguous")
    assert factories.trouble(request)["facts"]["policies"] == ["Billing", "Staging"]
    with pytest.raises(AmbiguousPolicy):
        factories.ask(scene.cast.alice)
    assert policies.signoff_of(request).needed == 1


def test_a_changed_policy_leaves_open_plans_as_they_were_and_rules_the_next(scene: Scene) -> None:
    making.make_policy("Two", making.own(2), environment=scene.cluster.environment)
    request = planned(scene)
    making.make_policy("Two", making.own(1), environment=scene.cluster.environment)
    request = factories.approve(request, scene.cast.bob)
    assert (request.state, policies.signoff_of(request).needed) == ("planned", 2)
    request = factories.plan(actions.replan(request=request, by=scene.cast.alice), scene.kafka)
    assert factories.approve(request, scene.cast.bob).state == "approved"


def test_a_policy_for_high_risk_takes_over_when_the_plan_skips(scene: Scene) -> None:
    making.make_policy("High", making.own(2), level="high")
    assert policies.signoff_of(planned(scene)).needed == 1
    scene.kafka.set_committed(factories.GROUP, {factories.hello(0): factories.at(1)})
    skipping = planned(scene, change=factories.make_change(strategy={"kind": "to_latest"}))
    assert policies.signoff_of(skipping).needed == 2


def test_a_ticket_that_the_policy_wants_is_asked_for_at_once(scene: Scene) -> None:
    making.change_builtin(making.own(), terms={"ticket_needed": True, "ticket_pattern": "OPS-#"})
    for ticket in ("", "later"):
        with pytest.raises(BadRequest) as refused:
            factories.ask(scene.cast.alice, ticket=ticket)
        assert refused.value.facts["field"] == "ticket"
        assert "OPS-#" in str(refused.value.facts["expected"])
    assert factories.ask(scene.cast.alice, ticket="OPS-12").state == "planning"


def test_a_short_reason_is_refused(scene: Scene) -> None:
    making.change_builtin(making.own(), terms={"reason_least": 30})
    with pytest.raises(BadRequest) as refused:
        factories.ask(scene.cast.alice, reason="Why not")
    assert refused.value.facts["found"] == "7 characters"


def test_a_ticket_that_only_risky_plans_need_fails_the_plan(scene: Scene) -> None:
    making.make_policy("Raised", making.own(), level="raised", terms={"ticket_needed": True})
    request = factories.plan(factories.ask(scene.cast.alice), scene.kafka)
    assert (request.state, factories.trouble(request)["code"]) == ("plan_failed", "approval.ticket_needed")


def test_a_request_lives_no_longer_than_the_policy_lets_it(scene: Scene) -> None:
    making.change_builtin(making.own(), terms={"request_life": timedelta(hours=2)})
    request = planned(scene)
    assert request.expires_at == request.created_at + timedelta(hours=2)
    soon = timezone.now() + timedelta(minutes=5)
    assert planned(scene, expires_at=soon).expires_at == soon


@pytest.mark.parametrize("kind", ["own", "other", "named", "requester"])
def test_inbox_waiting_list_and_verdict_name_the_same_people(scene: Scene, kind: str) -> None:
    operations = making.make_operations(scene.cast)
    making.make_search_approver(scene.cast)
    Membership.objects.filter(user=scene.cast.alice).update(role=TeamRole.OWNER)
    needs = {
        "own": [making.own()],
        "other": [making.other()],
        "named": [making.own(1, Least.OWNER), making.of(operations)],
        "requester": [making.own()],
    }
    making.make_policy("P", *needs[kind], team=scene.cast.billing, requester_may_count=kind == "requester")
    request = planned(scene)
    may = [one for one in everyone(scene) if policies.may_approve(one, request)]
    assert may == list(queries.approvers_waited_for(request))
    assert may == [one for one in everyone(scene) if request in queries.inbox_of(one)]
    assert all(request in queries.requests_for(one) for one in may)
    assert may


def test_a_version_and_its_needs_stay(scene: Scene) -> None:
    version = making.make_policy("Two", making.own(2), environment=scene.cluster.environment)
    for change in (
        lambda: PolicyVersion.objects.filter(pk=version.pk).update(requester_may_count=True),
        lambda: Need.objects.filter(version=version).update(count=1),
        lambda: Need.objects.filter(version=version).delete(),
        lambda: PolicyVersion.objects.filter(pk=version.pk).delete(),
        lambda: Need.objects.create(version=version, count=1, of="own_team", least="approver"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_the_page_and_the_api_say_who_is_still_needed(scene: Scene, client: Client) -> None:
    operations = making.make_operations(scene.cast)
    making.make_policy("Both", making.own(), making.of(operations), level="raised")
    request = factories.approve(planned(scene), scene.cast.bob)
    client.force_login(scene.cast.alice)
    page = client.get(f"/requests/{request.pk}").content.decode()
    assert "Needs an approver of Operations other than Alice" in page
    told = client.get(f"/api/v1/requests/{request.pk}").json()
    assert told["policy"]["needed"] == 2
    assert (told["policy"]["given"], told["policy"]["who"]) == (1, "an approver of Operations other than Alice")
    assert told["policy"]["name"] == "Both"
    assert told["policy"]["version"] == 1
    assert told["risk"]["level"] == "raised"


def test_the_page_says_whether_this_signature_is_the_last(scene: Scene, client: Client) -> None:
    making.make_policy("Two", making.own(2), level="raised")
    request = planned(scene)
    for person, is_last in ((scene.cast.bob, False), (scene.cast.bora, True)):
        client.force_login(person)
        page = client.get(f"/requests/{request.pk}").content.decode()
        assert ("once the other signatures are there" in page, "Runs at once when signed" in page) == (
            not is_last,
            is_last,
        )
        fields = {"digest": request.plan_digest, "comment": ""}
        told = client.post(f"/requests/{request.pk}/approve", fields, follow=True).content.decode()
        assert ("It is carried out now" in told) is is_last
