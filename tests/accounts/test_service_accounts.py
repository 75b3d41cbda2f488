"""Service accounts: they act by tokens, sign nothing, and no way of signing in is theirs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from kafkaconsole.accounts import people, service_accounts, tokens
from kafkaconsole.accounts.errors import BadPerson, BadToken
from kafkaconsole.accounts.models import ApiToken, User
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions, policies
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from kafkaconsole.teams import actions as teams
from kafkaconsole.teams.errors import BadTeam
from tests import factories
from tests.factories import PASSWORD, Cast
from tests.scene import Scene


def robot_of(cast: Cast) -> User:
    return service_accounts.add(by=cast.carol, username="robot", name="Robot")


def token_of(cast: Cast, account: User, *scopes: str) -> tuple[ApiToken, str]:
    ends = timezone.now() + timedelta(days=7)
    return service_accounts.make_token(
        by=cast.carol, account=account, name="nightly", scopes=scopes or ["read", "request"], expires_at=ends
    )


def asked_by_robot(scene: Scene) -> tuple[User, ResetRequest]:
    """A planned request that the robot of team Billing asked for, with a token that Carol made."""
    robot = robot_of(scene.cast)
    token_of(scene.cast, robot)
    teams.set_role(by=scene.cast.carol, team=scene.cast.billing, user=robot, role="member")
    return robot, factories.plan(factories.ask(robot), scene.kafka)


def verbs() -> list[str]:
    return list(AuditEvent.objects.order_by("number").values_list("verb", flat=True))


def test_each_act_is_recorded(cast: Cast) -> None:
    robot = robot_of(cast)
    token, plain = token_of(cast, robot)
    tokens.revoke(token, by=cast.carol)
    service_accounts.switch(by=cast.carol, account=robot, is_active=False)
    assert verbs() == ["service.added", "token.created", "token.revoked", "service.changed"]
    assert set(AuditEvent.objects.values_list("actor", flat=True)) == {cast.carol.pk}
    assert plain not in str(list(AuditEvent.objects.values_list("facts", flat=True)))


@pytest.mark.parametrize("who", ["alice", "bob", "eve"])
def test_only_administrators_set_them_up(who: str, cast: Cast) -> None:
    by, robot = getattr(cast, who), robot_of(cast)
    ends = timezone.now() + timedelta(days=7)
    for attempt in (
        lambda: service_accounts.add(by=by, username="other", name=""),
        lambda: service_accounts.switch(by=by, account=robot, is_active=False),
        lambda: service_accounts.make_token(by=by, account=robot, name="x", scopes=["read"], expires_at=ends),
    ):
        with pytest.raises(NotAllowed):
            attempt()
    assert verbs() == ["service.added"]


@pytest.mark.parametrize("username", ["", "a b", "ALICE", "alice"])
def test_name_that_cannot_be_used_is_refused(username: str, cast: Cast) -> None:
    with pytest.raises(BadPerson):
        service_accounts.add(by=cast.carol, username=username, name="")


@pytest.mark.parametrize("scope", ["approve", "admin"])
def test_token_that_would_sign_or_administer_is_refused_with_the_reason(scope: str, cast: Cast) -> None:
    robot = robot_of(cast)
    with pytest.raises(BadToken) as refused:
        token_of(cast, robot, "read", scope)
    assert refused.value.facts["found"] == scope
    assert "signs and administers nothing" in str(refused.value.facts["expected"])
    assert not robot.tokens.exists()


def test_token_says_who_made_it(cast: Cast) -> None:
    token, plain = token_of(cast, robot_of(cast))
    assert token.made_by == cast.carol
    assert tokens.authenticate(plain) == (token.owner, frozenset({"read", "request"}))


def test_switched_off_its_tokens_end_for_good(cast: Cast) -> None:
    robot = robot_of(cast)
    _, plain = token_of(cast, robot)
    robot = service_accounts.switch(by=cast.carol, account=robot, is_active=False)
    with pytest.raises(NotAllowed, match="switched off"):
        token_of(cast, robot)
    robot = service_accounts.switch(by=cast.carol, account=robot, is_active=True)
    assert tokens.authenticate(plain) is None
    assert tokens.authenticate(token_of(cast, robot)[1]) is not None


def test_a_person_is_no_service_account(cast: Cast) -> None:
    for attempt in (
        lambda: service_accounts.switch(by=cast.carol, account=cast.dave, is_active=False),
        lambda: token_of(cast, cast.dave),
    ):
        with pytest.raises(BadPerson):
            attempt()


@pytest.mark.parametrize("role", ["administrator", "auditor"])
def test_it_has_no_role_everywhere(role: str, cast: Cast) -> None:
    with pytest.raises(BadPerson):
        people.change(by=cast.carol, person=robot_of(cast), role=role, is_active=True)


@pytest.mark.parametrize("role", ["approver", "owner"])
def test_it_is_no_more_than_a_member_of_a_team(role: str, cast: Cast) -> None:
    with pytest.raises(BadTeam) as refused:
        teams.set_role(by=cast.carol, team=cast.billing, user=robot_of(cast), role=role)
    assert "signs nothing" in str(refused.value.facts["expected"])


def test_it_is_given_no_password(cast: Cast) -> None:
    with pytest.raises(User.DoesNotExist):
        people.give_password(by=cast.carol, person=robot_of(cast))


def test_the_form_does_not_sign_it_in(cast: Cast, client: Client) -> None:
    robot_of(cast)
    for password in (PASSWORD, "", "!"):
        assert client.post("/accounts/login/", {"login": "robot", "password": password}).status_code == 200
    assert client.get("/profile").status_code == 302


def test_a_session_opened_for_it_some_other_way_opens_nothing(cast: Cast, client: Client) -> None:
    client.force_login(robot_of(cast))
    assert client.get("/profile").status_code == 302
    assert client.get("/api/v1/me").status_code == 401


def test_it_asks_by_token_and_is_told_why_it_does_not_sign(scene: Scene) -> None:
    robot, request = asked_by_robot(scene)
    verdict = policies.may_approve(robot, request)
    assert (bool(verdict), str(verdict.reason)) == (False, "A service account signs nothing; a person does.")
    assert not policies.may_break_glass(robot, request)
    with pytest.raises(NotAllowed):
        actions.approve(request=request, by=robot, seen_digest=request.plan_digest)
    assert factories.approve(request, scene.cast.bob).state == State.APPROVED


def test_whoever_held_its_token_does_not_sign_what_it_asked_for(scene: Scene) -> None:
    _, request = asked_by_robot(scene)
    teams.set_role(by=scene.cast.carol, team=scene.cast.billing, user=scene.cast.carol, role="approver")
    verdict = policies.may_approve(scene.cast.carol, request)
    assert (bool(verdict), "You made a token of Robot" in str(verdict.reason)) == (False, True)
    assert policies.may_approve(scene.cast.bob, request)


def test_the_api_says_what_it_is_and_refuses_it_what_it_may_not(scene: Scene, client: Client) -> None:
    robot, request = asked_by_robot(scene)
    headers = {"Authorization": f"Bearer {token_of(scene.cast, robot)[1]}"}
    me = client.get("/api/v1/me", headers=headers).json()
    assert (me["is_service"], me["scopes"], me["teams"]) == (
        True,
        ["read", "request"],
        [{"team": "billing", "role": "member"}],
    )
    answer = client.post(
        f"/api/v1/requests/{request.pk}/approve",
        {"digest": request.plan_digest},
        content_type="application/json",
        headers=headers,
    )
    assert answer.status_code == 403
    assert client.post("/api/v1/tokens", {}, content_type="application/json", headers=headers).status_code == 403


@pytest.mark.parametrize(
    "change",
    [
        "password = 'pbkdf2_sha256$x'",
        "email = 'a@example.com'",
        "role = 'administrator'",
        "is_service = NOT is_service",
    ],
)
def test_the_database_holds_what_it_is(change: str, cast: Cast) -> None:
    robot = robot_of(cast)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE accounts_user SET {change} WHERE id = %s", [robot.pk])  # noqa: S608  of this file


def test_the_database_makes_no_person_a_service_account(cast: Cast) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=cast.dave.pk).update(is_service=True, password="!", email="")  # noqa: S106


def test_the_database_lets_it_be_no_more_than_a_member(cast: Cast) -> None:
    robot = robot_of(cast)
    teams.set_role(by=cast.carol, team=cast.billing, user=robot, role="member")
    with pytest.raises(IntegrityError), transaction.atomic():
        robot.memberships.update(role="approver")
    with pytest.raises(IntegrityError), transaction.atomic():
        robot.memberships.create(team=cast.search, role="owner")


def test_the_database_takes_no_signature_and_no_broken_glass_of_it(scene: Scene) -> None:
    robot, request = asked_by_robot(scene)
    factories.approve(request, scene.cast.bob)
    signature = request.approvals.get()
    signature.pk, signature.by = None, robot
    with pytest.raises(IntegrityError, match="signs nothing"), transaction.atomic():
        signature.save(force_insert=True)
    with pytest.raises(IntegrityError, match="sets no rule aside"), transaction.atomic():
        request.overrides.create(plan=request.the_plan, kind="window", by=robot, reason="It cannot wait")
