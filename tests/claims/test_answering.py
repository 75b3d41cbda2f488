"""A team claims a group that nobody owns; another team's approver or an administrator answers, once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction
from django.http import Http404
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.clusters import rights, setting_rights
from kafkaconsole.clusters.models import Holder
from kafkaconsole.errors import ConsoleError, NotAllowed
from kafkaconsole.groups import actions as ownership
from kafkaconsole.groups import queries as groups
from kafkaconsole.groups.claims import actions, policies, queries
from kafkaconsole.groups.errors import AmbiguousOwner, BadClaim, ClaimClosed, ClaimTaken, OwnedMeanwhile
from kafkaconsole.groups.models import Claim, ClaimState, ConsumerGroup, OwnershipRule
from kafkaconsole.teams.models import Membership, TeamRole
from tests.resets.test_at_once import at_once
from tests.scene import Scene

GROUP = "shipping"


def sign_for_search(scene: Scene) -> User:
    """Dave approves for Search from now on."""
    Membership.objects.filter(user=scene.cast.dave).update(role=TeamRole.APPROVER)
    return scene.cast.dave


def claim(scene: Scene, by: User | None = None, **fields: str) -> Claim:
    """Alice's, for Billing."""
    given = {"group": GROUP, "reason": "We run it", **fields}
    return actions.claim(by=by or scene.cast.alice, cluster=scene.cluster, team=scene.cast.billing, **given)


def hide(scene: Scene, holder: Holder = Holder.OUTSIDER) -> None:
    environment = scene.cluster.environment
    table = rights.table_of(environment)
    wanted = {pair: is_on and pair[0] is not holder for pair, is_on in table.items()}
    setting_rights.set_rights(
        by=scene.cast.carol, environment=environment, seen=setting_rights.fingerprint(table), wanted=wanted
    )


def verbs() -> list[str]:
    found = AuditEvent.objects.filter(verb__regex="^(claim|ownership)").order_by("number")
    return list(found.values_list("verb", flat=True))


def test_a_grant_gives_the_group_to_the_team_by_its_exact_name(scene: Scene) -> None:
    now = timezone.now()
    row = ConsumerGroup.objects.create(
        cluster=scene.cluster, name=GROUP, type="classic", state="Empty", first_seen_at=now, last_seen_at=now
    )
    made = claim(scene)
    granted = actions.grant(by=sign_for_search(scene), claim=made, comment="Seen")
    assert (granted.state, granted.answered_by, granted.comment) == ("granted", scene.cast.dave, "Seen")
    rule = OwnershipRule.objects.get(pattern=GROUP)
    assert (rule.kind, rule.cluster, rule.environment, rule.team) == ("name", scene.cluster, None, scene.cast.billing)
    row.refresh_from_db()
    assert row.team == scene.cast.billing
    assert verbs() == ["claim.made", "claim.granted", "ownership.added"]


def test_a_rejection_says_why_and_changes_nothing_else(scene: Scene) -> None:
    made = claim(scene)
    with pytest.raises(BadClaim):
        actions.reject(by=scene.cast.carol, claim=made, comment="  ")
    rejected = actions.reject(by=scene.cast.carol, claim=made, comment="Search runs it")
    assert (rejected.state, rejected.comment) == ("rejected", "Search runs it")
    assert groups.owner_of(scene.cluster, GROUP) is None
    assert claim(scene).pk != made.pk, "after that it can be claimed again"


def test_whoever_claimed_it_and_the_owners_of_the_team_withdraw_it(scene: Scene) -> None:
    cast = scene.cast
    Membership.objects.filter(user=cast.bora).update(role=TeamRole.OWNER)
    for user, may in ((cast.amir, False), (cast.bob, False), (cast.dave, False), (cast.eve, False), (cast.carol, False),
                      (cast.alice, True), (cast.bora, True)):  # fmt: skip
        made = claim(scene)
        assert bool(policies.may_withdraw(user, made)) is may
        if not may:
            with pytest.raises(NotAllowed):
                actions.withdraw(by=user, claim=made)
            actions.withdraw(by=cast.alice, claim=made)
        else:
            assert actions.withdraw(by=user, claim=made).state == "withdrawn"


def test_only_another_team_s_approver_or_owner_or_an_administrator_answers(scene: Scene) -> None:
    cast, made = scene.cast, claim(scene)
    assert not policies.may_answer(cast.dave, made), "a member"
    for user in (cast.alice, cast.amir, cast.bob, cast.dave, cast.eve):
        for answer in (actions.grant, actions.reject):
            with pytest.raises(NotAllowed):
                answer(by=user, claim=made, comment="Yes or no")
    assert policies.may_answer(sign_for_search(scene), made)
    Membership.objects.filter(user=cast.dave).update(role=TeamRole.OWNER)
    assert policies.may_answer(cast.dave, made)
    assert policies.may_answer(cast.carol, made)
    Membership.objects.create(user=cast.dave, team=cast.billing)
    assert not policies.may_answer(cast.dave, made), "in the claiming team besides"


def test_an_administrator_does_not_answer_a_claim_of_their_own(scene: Scene) -> None:
    Membership.objects.create(user=scene.cast.carol, team=scene.cast.billing)
    made = claim(scene, by=scene.cast.carol)
    with pytest.raises(NotAllowed):
        actions.grant(by=scene.cast.carol, claim=made)


@pytest.mark.parametrize("who", ["carol", "eve", "dave"])
def test_a_group_is_claimed_by_the_team_s_own_people_alone(scene: Scene, who: str) -> None:
    with pytest.raises(NotAllowed):
        claim(scene, by=getattr(scene.cast, who))
    assert verbs() == []


def test_a_group_that_somebody_owns_or_two_own_is_not_claimed(scene: Scene) -> None:
    with pytest.raises(NotAllowed, match="belongs to the team Billing"):
        claim(scene, group="billing-orders")
    for pattern, team in (("?hipping", scene.cast.billing), ("s?ipping", scene.cast.search)):
        OwnershipRule.objects.create(kind="glob", pattern=pattern, team=team)
    with pytest.raises(NotAllowed, match="two teams"):
        claim(scene)


def test_a_second_claim_of_the_same_team_waits_for_the_first(scene: Scene) -> None:
    claim(scene)
    with pytest.raises(ClaimTaken):
        claim(scene, by=scene.cast.amir)
    other = actions.claim(
        by=scene.cast.dave, cluster=scene.cluster, team=scene.cast.search, group=GROUP, reason="No, ours"
    )
    assert other.state == ClaimState.OPEN


@pytest.mark.parametrize("fields", [{"reason": " "}, {"reason": "x" * 1001}, {"group": ""}, {"group": "x" * 513}])
def test_what_says_nothing_is_refused(scene: Scene, fields: dict[str, str]) -> None:
    with pytest.raises(ConsoleError):
        claim(scene, None, **fields)
    assert not Claim.objects.exists()


def test_a_grant_is_refused_when_somebody_owns_it_meanwhile_and_the_claim_stays_open(scene: Scene) -> None:
    made = claim(scene)
    ownership.add_ownership(by=scene.cast.carol, cluster=None, kind="prefix", pattern="ship", team=scene.cast.search)
    with pytest.raises(OwnedMeanwhile):
        actions.grant(by=scene.cast.carol, claim=made)
    made.refresh_from_db()
    assert made.state == ClaimState.OPEN
    assert actions.reject(by=scene.cast.carol, claim=made, comment="Owned").state == ClaimState.REJECTED


def test_a_grant_is_refused_while_two_teams_tie(scene: Scene) -> None:
    made = claim(scene)
    for pattern, team in (("?hipping", scene.cast.billing), ("s?ipping", scene.cast.search)):
        OwnershipRule.objects.create(kind="glob", pattern=pattern, team=team)
    with pytest.raises(AmbiguousOwner):
        actions.grant(by=scene.cast.carol, claim=made)
    assert not OwnershipRule.objects.filter(pattern=GROUP).exists()


@pytest.mark.parametrize("second", ["grant", "reject", "withdraw"])
def test_a_claim_is_answered_once(scene: Scene, second: str) -> None:
    made = claim(scene)
    actions.grant(by=scene.cast.carol, claim=made)
    again: dict[str, Callable[[], object]] = {
        "grant": lambda: actions.grant(by=sign_for_search(scene), claim=made),
        "reject": lambda: actions.reject(by=sign_for_search(scene), claim=made, comment="No"),
        "withdraw": lambda: actions.withdraw(by=scene.cast.alice, claim=made),
    }
    with pytest.raises(ClaimClosed):
        again[second]()
    assert verbs() == ["claim.made", "claim.granted", "ownership.added"]


@pytest.mark.django_db(transaction=True)
def test_two_who_answer_at_once_give_one_answer(scene: Scene) -> None:
    dave = sign_for_search(scene)
    for number in range(10 if connection.vendor == "postgresql" else 3):
        made = claim(scene, group=f"shipping-{number}")
        refused = at_once(
            partial(actions.grant, by=dave, claim=made),
            partial(actions.reject, by=scene.cast.carol, claim=made, comment="No"),
            partial(actions.grant, by=scene.cast.carol, claim=made),
        )
        made.refresh_from_db()
        assert sorted(type(one).__name__ for one in refused) == ["ClaimClosed", "ClaimClosed", "NoneType"]
        is_given = OwnershipRule.objects.filter(pattern=made.group_name).exists()
        assert is_given is (made.state == ClaimState.GRANTED)


@pytest.mark.django_db(transaction=True)
def test_claims_of_two_teams_granted_at_once_give_the_group_to_one(scene: Scene) -> None:
    cast = scene.cast
    for number in range(10 if connection.vendor == "postgresql" else 3):
        group = f"shipping-{number}"
        ours = claim(scene, group=group)
        theirs = actions.claim(by=cast.dave, cluster=scene.cluster, team=cast.search, group=group, reason="Ours")
        refused = at_once(
            partial(actions.grant, by=cast.carol, claim=ours),
            partial(actions.grant, by=cast.bob, claim=theirs),
        )
        assert sorted(type(one).__name__ for one in refused) == ["NoneType", "OwnedMeanwhile"]
        assert OwnershipRule.objects.filter(pattern=group).count() == 1


def test_who_waits_for_whom(scene: Scene) -> None:
    cast, made = scene.cast, claim(scene)
    everyone = (cast.alice, cast.amir, cast.bob, cast.bora, cast.carol, sign_for_search(scene), cast.eve)
    waiting = {user.username for user in everyone if queries.waiting_for(user).exists()}
    assert waiting == {user.username for user in everyone if policies.may_answer(user, made)} == {"carol", "dave"}
    assert {user.username for user in queries.answerers_of(made)} == waiting
    actions.reject(by=cast.carol, claim=made, comment="No")
    assert not queries.waiting_for(cast.carol).exists()


def test_where_groups_are_not_shown_no_claim_of_them_is(scene: Scene) -> None:
    cast, made = scene.cast, claim(scene)
    sign_for_search(scene)
    hide(scene)
    assert not queries.waiting_for(cast.dave).exists()
    assert {user.username for user in queries.answerers_of(made)} == {"carol"}
    with pytest.raises(Http404):
        queries.claim_for(cast.dave, made.pk)
    assert queries.claim_for(cast.alice, made.pk) == made
    with pytest.raises(NotAllowed, match="not shown to everyone"):
        claim(scene, group="another")
    hide(scene, Holder.MEMBER)
    assert not queries.claims_for(cast.alice).exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"state": "granted"},
        {"state": "lost"},
        {"answered_at": timezone.now()},
        {"comment": "said without an answer"},
        {"reason": ""},
        {"state": "rejected", "answered_at": timezone.now(), "answered_by": "dave"},
        {"state": "granted", "answered_at": timezone.now(), "answered_by": "alice"},
    ],
)
def test_the_database_refuses_a_claim_whose_facts_do_not_fit(scene: Scene, wrong: dict[str, object]) -> None:
    made, facts = claim(scene), dict(wrong)
    if named := facts.get("answered_by"):
        facts["answered_by"] = getattr(scene.cast, str(named))
    with pytest.raises(IntegrityError), transaction.atomic():
        Claim.objects.filter(pk=made.pk).update(**facts)
