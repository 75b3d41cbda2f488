"""Teams and their people: who may set them up, and what is recorded."""

from __future__ import annotations

import pytest

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets.states import State
from kafkaconsole.teams import actions, policies, queries
from kafkaconsole.teams.errors import BadTeam, NotInTeam, TeamInUse
from kafkaconsole.teams.models import Team
from tests import factories
from tests.factories import Cast
from tests.scene import Scene


def test_an_administrator_adds_a_team(cast: Cast) -> None:
    team = actions.add(by=cast.carol, slug="shipping", name=" Shipping ")
    assert team.name == "Shipping"
    assert AuditEvent.objects.get(verb="team.added").target_label == "Shipping"


@pytest.mark.parametrize("name", ["alice", "bob", "dave", "eve"])
def test_nobody_else_adds_or_removes_teams(cast: Cast, name: str) -> None:
    person = getattr(cast, name)
    with pytest.raises(NotAllowed):
        actions.add(by=person, slug="shipping", name="Shipping")
    with pytest.raises(NotAllowed):
        actions.remove(by=person, team=cast.search)


@pytest.mark.parametrize(
    ("slug", "name", "field"),
    [
        ("Shipping", "Shipping", "slug"),
        ("", "Shipping", "slug"),
        ("x" * 51, "Shipping", "slug"),
        ("billing", "Another", "slug"),
        ("another", "Billing", "name"),
        ("another", "  ", "name"),
    ],
)
def test_a_name_that_is_taken_or_cannot_be_used_is_refused(cast: Cast, slug: str, name: str, field: str) -> None:
    with pytest.raises(BadTeam) as refused:
        actions.add(by=cast.carol, slug=slug, name=name)
    assert refused.value.facts["field"] == field


def test_a_team_with_requests_stays(scene: Scene) -> None:
    factories.request_in(State.CANCELLED, scene.cast, scene.kafka)
    with pytest.raises(TeamInUse):
        actions.remove(by=scene.cast.carol, team=scene.cast.billing)
    actions.remove(by=scene.cast.carol, team=scene.cast.search)
    assert list(Team.objects.all()) == [scene.cast.billing]


def test_an_owner_gives_roles_and_the_record_says_before_and_after(cast: Cast) -> None:
    actions.set_role(by=cast.carol, team=cast.billing, user=cast.bob, role="owner")
    actions.set_role(by=cast.bob, team=cast.billing, user=cast.dave, role="member")
    facts = list(AuditEvent.objects.filter(verb="team.role_set").order_by("number").values_list("facts", flat=True))
    assert facts == [
        {"user": "bob", "before": "approver", "role": "owner"},
        {"user": "dave", "before": None, "role": "member"},
    ]
    assert policies.is_member(cast.dave, cast.billing) and not policies.is_approver(cast.dave, cast.billing)


@pytest.mark.parametrize("name", ["alice", "bob", "dave", "eve"])
def test_approvers_members_and_outsiders_give_no_roles(cast: Cast, name: str) -> None:
    with pytest.raises(NotAllowed):
        actions.set_role(by=getattr(cast, name), team=cast.billing, user=cast.alice, role="approver")


def test_the_same_role_again_is_no_change(cast: Cast) -> None:
    actions.set_role(by=cast.carol, team=cast.billing, user=cast.bob, role="approver")
    assert not AuditEvent.objects.exists()


def test_an_unknown_role_is_refused(cast: Cast) -> None:
    with pytest.raises(BadTeam):
        actions.set_role(by=cast.carol, team=cast.billing, user=cast.bob, role="king")


def test_a_person_leaves_a_team_once(cast: Cast) -> None:
    actions.remove_member(by=cast.carol, team=cast.billing, user=cast.bob)
    assert not policies.is_approver(cast.bob, cast.billing)
    with pytest.raises(NotInTeam):
        actions.remove_member(by=cast.carol, team=cast.billing, user=cast.bob)


def test_reads_know_who_is_where(cast: Cast) -> None:
    assert list(queries.teams_of(cast.alice)) == [cast.billing]
    assert list(queries.teams_signed_by(cast.alice)) == []
    assert list(queries.teams_signed_by(cast.bob)) == [cast.billing]
    assert list(queries.approvers_of(cast.billing)) == [cast.bob, cast.bora]
    assert {team.slug: vars(team)["people_count"] for team in queries.teams_for(cast.eve)} == {
        "billing": 4,
        "search": 1,
    }
