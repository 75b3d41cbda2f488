"""Teams on pages: everyone sees who is in them; owners and administrators change them."""

from __future__ import annotations

import pytest
from django.test import Client

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Membership, Team, TeamRole
from tests.factories import Cast, make_user, request_in
from tests.scene import Scene


@pytest.fixture
def carol(cast: Cast, client: Client) -> Client:
    """Carol's browser."""
    client.force_login(cast.carol)
    return client


def role_of(name: str, team: Team) -> str | None:
    return Membership.objects.filter(team=team, user__username=name).values_list("role", flat=True).first()


def test_signed_out_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    for address in ("/teams", "/teams/billing/"):
        assert client.get(address).status_code == 302


def test_everyone_sees_teams_and_their_people(cast: Cast, client: Client) -> None:
    client.force_login(cast.dave)
    html = client.get("/teams").content.decode()
    assert 'href="/teams/billing/"' in html
    assert "Only an administrator can add" in html
    html = client.get("/teams/billing/").content.decode()
    assert "Alice" in html
    assert "Approver" in html
    assert "Only an owner of Billing" in html
    assert 'name="role"' not in html


def test_no_teams_yet_says_what_they_are_for(db: None, client: Client) -> None:
    client.force_login(make_user("solo"))
    assert "Teams own groups" in client.get("/teams").content.decode()


def test_administrator_adds_a_team_and_takes_people_in(carol: Client, cast: Cast) -> None:
    answer = carol.post("/teams", {"name": "Payments", "slug": "payments"})
    assert answer["Location"] == "/teams/payments/"
    team = Team.objects.get(slug="payments")
    assert "Nobody is in it yet" in carol.get("/teams/payments/").content.decode()
    carol.post("/teams/payments/", {"user": "dave", "role": "approver"})
    assert role_of("dave", team) == TeamRole.APPROVER
    verbs = [one.verb for one in AuditEvent.objects.order_by("number")]
    assert verbs == ["person.signed_in", "team.added", "team.role_set"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "Billing", "slug": "b2"}, "a name that no other team has"),
        ({"name": "B2", "slug": "billing"}, "a slug that no other team has"),
        ({"name": "B2", "slug": "B 2"}, "small letters, digits"),
        ({"name": "", "slug": "b2"}, "This field is required"),
    ],
)
def test_team_that_cannot_be_made_keeps_what_was_typed(fields: dict[str, str], said: str, carol: Client) -> None:
    answer = carol.post("/teams", fields)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert said in html
    assert f'value="{fields["slug"]}"' in html
    assert Team.objects.count() == 2


def test_role_is_given_anew(carol: Client, cast: Cast) -> None:
    carol.post("/teams/billing/", {"user": "alice", "role": "owner"})
    assert role_of("alice", cast.billing) == TeamRole.OWNER


def test_person_who_does_not_exist_is_named(carol: Client, cast: Cast) -> None:
    answer = carol.post("/teams/billing/", {"user": "nobody", "role": "member"})
    assert answer.status_code == 422
    assert "someone who may sign in" in answer.content.decode()


def test_owner_changes_their_team_and_no_other(cast: Cast, client: Client) -> None:
    Membership.objects.filter(team=cast.billing, user=cast.bob).update(role=TeamRole.OWNER)
    client.force_login(cast.bob)
    assert client.post("/teams/billing/", {"user": "dave", "role": "member"}).status_code == 302
    assert role_of("dave", cast.billing) == TeamRole.MEMBER
    assert client.post("/teams/search/", {"user": "bob", "role": "owner"}).status_code == 403
    assert role_of("bob", cast.search) is None
    assert client.post("/teams/billing/remove").status_code == 403


@pytest.mark.parametrize("who", ["alice", "dave", "eve"])
def test_others_change_nothing(who: str, cast: Cast, client: Client) -> None:
    client.force_login(getattr(cast, who))
    assert client.post("/teams/billing/", {"user": who, "role": "owner"}).status_code == 403
    assert client.post("/teams/billing/members/remove", {"user": "bob"}).status_code == 403
    assert client.post("/teams", {"name": "Mine", "slug": "mine"}).status_code == 403
    assert client.post("/teams/billing/remove").status_code == 403
    assert role_of("bob", cast.billing) == TeamRole.APPROVER
    assert Team.objects.count() == 2


def test_person_is_taken_out(carol: Client, cast: Cast) -> None:
    assert carol.get("/teams/billing/members/remove").status_code == 405
    assert carol.post("/teams/billing/members/remove", {"user": "amir"}).status_code == 302
    assert role_of("amir", cast.billing) is None
    answer = carol.post("/teams/billing/members/remove", {"user": "amir"})
    assert answer.status_code == 409
    assert "is not in Billing" in answer.content.decode()


def test_team_that_requests_belong_to_stays(scene: Scene, client: Client) -> None:
    request_in(State.REJECTED, scene.cast, scene.kafka)
    client.force_login(scene.cast.carol)
    answer = client.post("/teams/billing/remove")
    assert answer.status_code == 409
    assert "so it stays" in answer.content.decode()
    assert client.post("/teams/search/remove").status_code == 302
    assert [one.slug for one in Team.objects.all()] == ["billing"]


def test_team_that_does_not_exist_is_a_404(carol: Client) -> None:
    assert carol.get("/teams/nowhere/").status_code == 404
