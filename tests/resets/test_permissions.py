"""One answer to "may this person do this to that": by team, role and environment; and a reason for each no."""

from __future__ import annotations

import itertools

import pytest
from django.contrib.auth.models import AnonymousUser

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import rights
from kafkaconsole.clusters.models import EnvironmentRight, Holder, Right
from kafkaconsole.groups.models import OwnershipRule
from kafkaconsole.groups.permissions import may
from kafkaconsole.resets import policies, reading_rights
from kafkaconsole.teams.models import Membership, TeamRole
from tests import factories
from tests.factories import GROUP
from tests.scene import Scene

ROLES = (Holder.MEMBER, Holder.APPROVER, Holder.OWNER)


def deny(scene: Scene, holder: str, right: str, *, is_allowed: bool = False) -> None:
    EnvironmentRight.objects.update_or_create(
        environment=scene.cluster.environment, holder=holder, right=right, defaults={"is_allowed": is_allowed}
    )


def person_as(scene: Scene, holder: Holder) -> User:
    user = factories.make_user("frida")
    if holder is not Holder.OUTSIDER:
        Membership.objects.create(team=scene.cast.billing, user=user, role=TeamRole(holder.value))
    return user


def answers(scene: Scene, user: User) -> set[str]:
    return {str(right) for right in Right if may(user, right, cluster=scene.cluster, group=GROUP)}


@pytest.mark.parametrize(
    ("holder", "expected"),
    [
        (Holder.OUTSIDER, {"see"}),
        (Holder.MEMBER, {"see", "request", "read_messages"}),
        (Holder.APPROVER, {"see", "request", "approve", "read_messages"}),
        (Holder.OWNER, {"see", "request", "approve", "read_messages"}),
    ],
)
def test_where_nothing_was_changed_everything_is_as_it_was(scene: Scene, holder: Holder, expected: set[str]) -> None:
    assert answers(scene, person_as(scene, holder)) == expected
    scene.cluster.environment.is_production = True
    scene.cluster.environment.save()
    assert answers(scene, User.objects.get(username="frida")) == expected - {"read_messages"}


@pytest.mark.parametrize(("holder", "right"), list(itertools.product(ROLES, Right)), ids=str)
def test_each_switch_takes_one_right_from_one_role(scene: Scene, holder: Holder, right: Right) -> None:
    if (holder, right) == (Holder.MEMBER, Right.APPROVE):
        assert (holder, right) not in rights.APPLICABLE
        return
    user, before = person_as(scene, holder), answers(scene, scene.cast.bob)
    mine = answers(scene, user)
    deny(scene, holder.value, right.value)
    left = set() if right is Right.SEE else mine - {right.value}
    assert answers(scene, user) == left, "who may not see may do nothing"
    verdict = may(user, right, cluster=scene.cluster, group=GROUP)
    assert "Staging" in verdict.reason
    if holder is not Holder.APPROVER:
        assert answers(scene, scene.cast.bob) == before, "other roles keep what they had"


def test_messages_in_production_can_be_given_to_owners_alone(scene: Scene) -> None:
    scene.cluster.environment.is_production = True
    scene.cluster.environment.save()
    deny(scene, "owner", "read_messages", is_allowed=True)
    owner = person_as(scene, Holder.OWNER)
    assert reading_rights.may_look_at_records(owner, scene.cluster, GROUP)
    verdict = reading_rights.may_look_at_records(scene.cast.alice, scene.cluster, GROUP)
    assert verdict.reason == "Reading messages is switched off for Staging. An administrator can switch it on."


def test_nobody_acts_on_what_nobody_or_two_teams_own(scene: Scene) -> None:
    for right in (Right.REQUEST, Right.APPROVE, Right.READ_MESSAGES):
        assert not may(scene.cast.alice, right, cluster=scene.cluster, group="unowned")
    assert may(scene.cast.alice, Right.SEE, cluster=scene.cluster, group="unowned")
    for pattern, team in (("tie*", scene.cast.search), ("*tie", scene.cast.billing)):
        OwnershipRule.objects.create(kind="glob", pattern=pattern, team=team)
    verdict = may(scene.cast.alice, Right.REQUEST, cluster=scene.cluster, group="tie")
    assert not verdict and "billing, search" in verdict.reason


def test_outsiders_are_not_told_who_owns_what_is_not_shown_to_them(scene: Scene) -> None:
    assert "belongs to the team Billing" in policies.may_request(scene.cast.dave, scene.cluster, GROUP).reason
    deny(scene, "outsider", "see")
    assert "Billing" not in policies.may_request(scene.cast.dave, scene.cluster, GROUP).reason


def test_auditors_and_administrators_see_whatever_the_table_says(scene: Scene) -> None:
    for holder in Holder:
        deny(scene, holder.value, "see")
    for user in (scene.cast.carol, scene.cast.eve):
        assert may(user, Right.SEE, cluster=scene.cluster, group=GROUP)
        assert not may(user, Right.REQUEST, cluster=scene.cluster, group=GROUP)


def test_who_left_or_never_signed_in_may_do_nothing(scene: Scene) -> None:
    scene.cast.alice.is_active = False
    for user in (scene.cast.alice, AnonymousUser()):
        assert not any(may(user, right, cluster=scene.cluster, group=GROUP) for right in Right)
