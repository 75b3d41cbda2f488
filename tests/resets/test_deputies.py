"""Signing for somebody who is away: whose signature it is, when it counts, where it shows, and the check before the write."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.clusters.models import EnvironmentRight
from kafkaconsole.errors import NotAllowed
from kafkaconsole.notifications import recipients
from kafkaconsole.resets import actions, policies, queries
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from kafkaconsole.teams import delegating
from kafkaconsole.teams.models import Delegation, Membership, Team
from tests import factories
from tests.approvals import making
from tests.scene import Scene


def lend(by: User, to: User, team: Team | None = None) -> Delegation:
    now = timezone.now()
    times = {"starts_at": now - timedelta(hours=1), "ends_at": now + timedelta(hours=1)}
    return delegating.delegate(by=by, to=to, team=team, **times)


def move(row: Delegation, *, start: datetime, end: datetime) -> None:
    Delegation.objects.filter(pk=row.pk).update(starts_at=start, ends_at=end)


@pytest.fixture
def planned(scene: Scene) -> ResetRequest:
    return factories.request_in(State.PLANNED, scene.cast, scene.kafka)


def fresh(row: ResetRequest) -> ResetRequest:
    return ResetRequest.objects.get(pk=row.pk)


def test_deputy_signs_for_an_approver_and_it_is_carried_out(
    scene: Scene, planned: ResetRequest, client: Client
) -> None:
    dave = scene.cast.dave
    assert not policies.may_approve(dave, planned)
    assert not queries.inbox_of(dave).exists()
    row = lend(scene.cast.bob, dave)
    assert list(queries.inbox_of(dave)) == [planned]
    assert set(queries.approvers_waited_for(planned)) == {scene.cast.bob, scene.cast.bora, dave}
    client.force_login(dave)
    assert "You sign for Bob, away until" in client.get(f"/requests/{planned.pk}").content.decode()
    assert factories.approve(planned, dave).state == State.APPROVED
    assert "for Bob, away until" in client.get(f"/requests/{planned.pk}").content.decode()
    told = AuditEvent.objects.get(verb="reset.approved").facts["stands_for"]
    assert (told["user"], told["name"]) == ("bob", "Bob")
    assert datetime.fromisoformat(told["until"]) - row.ends_at < timedelta(milliseconds=1)
    assert factories.execute(fresh(planned), scene.kafka).state == State.APPLIED


def test_deputy_who_rejects_does_so_for_who_is_away_and_the_page_says_so(
    scene: Scene, planned: ResetRequest, client: Client
) -> None:
    lend(scene.cast.bob, scene.cast.dave)
    actions.reject(request=planned, by=scene.cast.dave, seen_digest=planned.plan_digest, comment="Not today")
    assert AuditEvent.objects.get(verb="reset.rejected").facts["stands_for"]["user"] == "bob"
    client.force_login(scene.cast.alice)
    assert "for Bob, away until" in client.get(f"/requests/{planned.pk}").content.decode()


def test_deputy_and_who_is_away_are_one_signature(scene: Scene) -> None:
    making.change_builtin(making.own(2))
    planned = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    lend(scene.cast.bob, scene.cast.dave)
    factories.approve(planned, scene.cast.dave)
    after = factories.approve(fresh(planned), scene.cast.bob)
    assert (after.state, policies.signoff_of(after).given) == (State.PLANNED, 1)
    assert factories.approve(fresh(planned), scene.cast.bora).state == State.APPROVED


def test_deputy_has_nothing_to_sign_once_the_one_who_is_away_signed(scene: Scene) -> None:
    making.change_builtin(making.own(2))
    planned = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    lend(scene.cast.bob, scene.cast.dave)
    factories.approve(planned, scene.cast.bob)
    with pytest.raises(NotAllowed):
        factories.approve(fresh(planned), scene.cast.dave)
    assert set(queries.approvers_waited_for(fresh(planned))) == {scene.cast.bob, scene.cast.bora}
    assert not queries.inbox_of(scene.cast.dave).exists()


def test_approver_who_is_a_deputy_besides_signs_once_as_themselves(scene: Scene) -> None:
    making.change_builtin(making.own(2))
    planned = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    lend(scene.cast.bob, scene.cast.bora)
    after = factories.approve(planned, scene.cast.bora)
    assert policies.signoff_of(after).given == 1
    assert "stands_for" not in AuditEvent.objects.get(verb="reset.approved").facts
    assert factories.approve(fresh(planned), scene.cast.bob).state == State.APPROVED


def test_one_who_is_away_is_not_counted_twice_by_two_deputies(scene: Scene) -> None:
    search, bob = scene.cast.search, scene.cast.bob
    Membership.objects.create(team=search, user=bob, role="approver")
    making.change_builtin(making.own(1), making.of(search))
    planned = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    ann, joe = factories.make_user("ann"), factories.make_user("joe")
    lend(bob, ann, scene.cast.billing)
    lend(bob, joe, search)
    factories.approve(planned, ann)
    with_both = policies.may_approve(joe, fresh(planned))
    if with_both:
        factories.approve(fresh(planned), joe)
    assert policies.signoff_of(fresh(planned)).given == 1


def test_nothing_is_lent_before_and_after_its_time(scene: Scene, planned: ResetRequest) -> None:
    row, now = lend(scene.cast.bob, scene.cast.dave), timezone.now()
    move(row, start=now + timedelta(hours=1), end=now + timedelta(hours=2))
    assert not policies.may_approve(scene.cast.dave, planned)
    assert not queries.inbox_of(scene.cast.dave).exists()
    move(row, start=now - timedelta(hours=2), end=now - timedelta(hours=1))
    assert not policies.may_approve(scene.cast.dave, planned)
    assert scene.cast.dave not in queries.approvers_waited_for(planned)


def lose_role(scene: Scene, row: Delegation) -> None:
    Membership.objects.filter(user=row.by).update(role="member")


def leave(scene: Scene, row: Delegation) -> None:
    User.objects.filter(pk=row.by_id).update(is_active=False)


def end(scene: Scene, row: Delegation) -> None:
    delegating.end(by=scene.cast.bob, delegation=row)


def pass_by(scene: Scene, row: Delegation) -> None:
    move(row, start=row.starts_at, end=timezone.now())


def forbid(scene: Scene, row: Delegation) -> None:
    told: dict[str, Model | str | bool] = {"environment": scene.cluster.environment, "is_allowed": False}
    EnvironmentRight.objects.create(holder="approver", right="approve", **told)


@pytest.mark.parametrize("happens", [lose_role, leave, end, pass_by, forbid])
def test_worker_looks_again_right_before_the_write(scene: Scene, planned: ResetRequest, happens: object) -> None:
    row = lend(scene.cast.bob, scene.cast.dave)
    factories.approve(planned, scene.cast.dave)
    happens(scene, row)  # type: ignore[operator]
    before = factories.offsets_in(scene.kafka)
    after = factories.execute(fresh(planned), scene.kafka)
    assert (after.state, factories.trouble(after)["code"]) == (State.PLANNED, "approval.no_longer_counts")
    assert factories.trouble(after)["facts"]["who"] == ["Dave"]
    assert factories.offsets_in(scene.kafka) == before
    assert not policies.may_approve(scene.cast.dave, after)


def test_what_is_lent_is_not_lent_on(scene: Scene, planned: ResetRequest) -> None:
    Membership.objects.filter(user=scene.cast.dave).update(role="approver")
    lend(scene.cast.bob, scene.cast.dave)
    lend(scene.cast.dave, scene.cast.amir)
    assert policies.may_approve(scene.cast.dave, planned)
    assert not policies.may_approve(scene.cast.amir, planned)
    assert not queries.inbox_of(scene.cast.amir).exists()


def test_requester_signs_neither_as_a_deputy_nor_through_one(scene: Scene, planned: ResetRequest) -> None:
    lend(scene.cast.bob, scene.cast.alice)
    assert not policies.may_approve(scene.cast.alice, planned)
    assert not queries.inbox_of(scene.cast.alice).exists()
    Membership.objects.filter(user=scene.cast.alice).update(role="owner")
    lend(scene.cast.alice, scene.cast.dave)
    assert not policies.may_approve(scene.cast.dave, planned)
    assert not queries.inbox_of(scene.cast.dave).exists()
    assert scene.cast.dave not in queries.approvers_waited_for(planned)


def test_delegation_for_one_team_lends_no_other(scene: Scene, planned: ResetRequest) -> None:
    Membership.objects.create(team=scene.cast.search, user=scene.cast.bob, role="owner")
    lend(scene.cast.bob, scene.cast.dave, scene.cast.search)
    assert not policies.may_approve(scene.cast.dave, planned)
    assert not queries.inbox_of(scene.cast.dave).exists()
    assert scene.cast.dave not in queries.approvers_waited_for(planned)


def test_one_of_the_own_team_is_no_other_team_through_a_deputy(scene: Scene) -> None:
    making.make_search_approver(scene.cast)
    signer = Membership.objects.get(team=scene.cast.search, role="approver").user
    making.change_builtin(making.own(1), making.other(1))
    planned = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    factories.approve(planned, scene.cast.bob)
    lend(signer, scene.cast.amir)
    assert not policies.may_approve(scene.cast.amir, fresh(planned))
    assert not queries.inbox_of(scene.cast.amir).exists()
    assert scene.cast.amir not in queries.approvers_waited_for(fresh(planned))
    outsider = factories.make_user("olga")
    delegating.end(by=signer, delegation=Delegation.objects.get())
    lend(signer, outsider)
    assert list(queries.inbox_of(outsider)) == [fresh(planned)]
    assert outsider.pk in set(queries.approvers_waited_for(fresh(planned)).values_list("pk", flat=True))
    assert factories.approve(fresh(planned), outsider).state == State.APPROVED


def test_auditor_is_no_deputy(scene: Scene, planned: ResetRequest) -> None:
    lend(scene.cast.bob, scene.cast.dave)
    User.objects.filter(pk=scene.cast.dave.pk).update(role="auditor")
    dave = User.objects.get(pk=scene.cast.dave.pk)
    assert not policies.may_approve(dave, planned)
    assert dave not in queries.approvers_waited_for(planned)


def test_mail_asks_the_deputy_too(scene: Scene, planned: ResetRequest) -> None:
    User.objects.update(email="somebody@example.com")
    lend(scene.cast.bob, scene.cast.dave)
    assert scene.cast.dave.pk in set(recipients.waited_for(planned))
