"""The pages on which administrators set service accounts up."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from kafkaconsole.accounts import queries
from kafkaconsole.accounts.models import ApiToken
from kafkaconsole.teams.models import Membership
from tests.factories import Cast

TOKEN = {"name": "nightly job", "scopes": ["read", "request"], "days": "30"}


@pytest.fixture
def carol(cast: Cast, client: Client) -> Client:
    """Carol's browser, with a service account added."""
    client.force_login(cast.carol)
    client.post("/services/new", {"username": "robot", "name": "Nightly check"})
    return client


def test_page_without_any_says_what_to_do(cast: Cast, client: Client) -> None:
    client.force_login(cast.carol)
    assert "No service accounts yet" in client.get("/services").content.decode()


def test_added_one_is_listed_apart_from_people(carol: Client) -> None:
    page = carol.get("/services").content.decode()
    assert "Nightly check" in page
    assert "Nightly check" not in carol.get("/people").content.decode()
    assert carol.get("/people/robot/").status_code == 404
    assert carol.post("/people/robot/password").status_code == 404
    assert carol.get("/services/dave/").status_code == 404


def test_name_that_is_taken_is_refused_at_its_field(carol: Client) -> None:
    answer = carol.post("/services/new", {"username": "Robot", "name": ""})
    assert answer.status_code == 422
    assert "a name that nobody else has" in answer.content.decode()


def test_token_is_shown_once_and_works(carol: Client) -> None:
    answer = carol.post("/services/robot/tokens", TOKEN)
    found = re.search(r'<p class="once"><code>(kc_[^<]+)</code>', answer.content.decode())
    assert found
    assert "no-store" in answer.headers["Cache-Control"]
    assert found[1] not in carol.get("/services/robot/").content.decode()
    assert "made by Carol" in carol.get("/services/robot/").content.decode()
    headers = {"Authorization": f"Bearer {found[1]}"}
    assert Client().get("/api/v1/me", headers=headers).json()["username"] == "robot"


@pytest.mark.parametrize("scopes", [[], ["approve"], ["read", "admin"]])
def test_token_for_more_than_it_may_is_refused(scopes: list[str], carol: Client) -> None:
    assert carol.post("/services/robot/tokens", {**TOKEN, "scopes": scopes}).status_code == 422
    assert not ApiToken.objects.exists()


def test_token_is_revoked(carol: Client) -> None:
    carol.post("/services/robot/tokens", TOKEN)
    token = ApiToken.objects.get()
    assert carol.post(f"/services/robot/tokens/{token.pk}/revoke", follow=True).status_code == 200
    token.refresh_from_db()
    assert token.revoked_at is not None


def test_token_of_another_account_is_not_revoked_here(cast: Cast, carol: Client) -> None:
    carol.post("/profile/tokens", {"name": "own", "scopes": "read", "days": 7})
    token = ApiToken.objects.get(owner=cast.carol)
    assert carol.post(f"/services/robot/tokens/{token.pk}/revoke").status_code == 404


def test_it_is_switched_off_and_on(carol: Client) -> None:
    carol.post("/services/robot/tokens", TOKEN)
    page = carol.post("/services/robot/switch", {"do": "off"}, follow=True).content.decode()
    assert "Its tokens are revoked." in page
    assert "Make a token" not in page, "one that is off is given none"
    assert not queries.service_named("robot").is_active
    assert carol.post("/services/robot/tokens", TOKEN).status_code == 422
    carol.post("/services/robot/switch", {"do": "on"})
    assert queries.service_named("robot").is_active


def test_it_is_taken_into_a_team_and_out_again(cast: Cast, carol: Client) -> None:
    carol.post("/teams/billing/", {"user": "robot", "role": "member"})
    assert "Billing" in carol.get("/services/robot/").content.decode()
    assert carol.post("/teams/billing/", {"user": "robot", "role": "approver"}).status_code == 422
    carol.post("/teams/billing/members/remove", {"user": "robot"})
    assert not Membership.objects.filter(user__username="robot").exists()
