"""The pages on which administrators set people up, and the password that works once."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from kafkaconsole.accounts import people
from kafkaconsole.accounts.models import User
from tests.factories import Cast

FRANK = {"username": "frank", "name": "Frank Moreau", "email": "", "role": "member"}
OWN = "a phrase of his own"


@pytest.fixture
def carol(cast: Cast, client: Client) -> Client:
    """Carol's browser."""
    client.force_login(cast.carol)
    return client


def password_in(html: str) -> str:
    found = re.findall(r'<p class="once"><code>([^<]+)</code>', html)
    assert len(found) == 1
    return str(found[0])


def test_signed_out_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    for address in ("/people", "/people/alice/"):
        assert client.get(address).status_code == 302


@pytest.mark.parametrize("who", ["alice", "bob", "eve"])
def test_others_see_nobody(who: str, cast: Cast, client: Client) -> None:
    client.force_login(getattr(cast, who))
    assert client.get("/people").status_code == 403
    assert client.get("/people/dave/").status_code == 403
    assert client.post("/people/new", FRANK).status_code == 403
    assert client.post("/people/dave/", {"role": "administrator", "is_active": "on"}).status_code == 403
    assert client.post("/people/dave/password").status_code == 403
    assert not User.objects.filter(username="frank").exists()


def test_new_person_signs_in_once_and_chooses_a_password(carol: Client, client: Client) -> None:
    answer = carol.post("/people/new", FRANK)
    assert "no-store" in answer["Cache-Control"]
    password = password_in(answer.content.decode())
    assert password not in carol.get("/people").content.decode()
    frank = Client()
    frank.post("/accounts/login/", {"login": "frank", "password": password})
    for address in ("/", "/groups", "/requests/new", "/profile"):
        assert frank.get(address)["Location"] == "/accounts/password/change/"
    assert frank.post("/profile/tokens", {"name": "x"})["Location"] == "/accounts/password/change/"
    assert "given to you for once" in frank.get("/accounts/password/change/").content.decode()
    frank.post("/accounts/password/change/", {"oldpassword": password, "password1": OWN, "password2": OWN})
    assert frank.get("/groups").status_code == 200


def test_person_with_a_password_for_once_can_sign_out(carol: Client) -> None:
    password = password_in(carol.post("/people/new", FRANK).content.decode())
    frank = Client()
    frank.post("/accounts/login/", {"login": "frank", "password": password})
    assert frank.post("/accounts/logout/").status_code == 302
    assert frank.get("/groups")["Location"].startswith("/accounts/login/")


def test_person_that_cannot_be_made_keeps_what_was_typed(carol: Client) -> None:
    answer = carol.post("/people/new", FRANK | {"username": "alice"})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "a name that nobody else has" in html
    assert 'value="Frank Moreau"' in html


def test_role_is_changed_and_sign_in_taken_away(carol: Client, cast: Cast) -> None:
    assert carol.post("/people/dave/", {"role": "auditor"}).status_code == 302
    cast.dave.refresh_from_db()
    assert (cast.dave.role, cast.dave.is_active) == ("auditor", False)
    assert "taken away" in carol.get("/people").content.decode()


def test_person_whose_sign_in_is_taken_away_is_out_at_once(carol: Client, cast: Cast) -> None:
    dave = Client()
    dave.force_login(cast.dave)
    people.change(by=cast.carol, person=cast.dave, role="member", is_active=False)
    assert dave.get("/groups").status_code == 302


def test_last_administrator_is_told_why_she_stays(carol: Client) -> None:
    answer = carol.post("/people/carol/", {"role": "member", "is_active": "on"})
    assert answer.status_code == 422
    assert "only administrator who can sign in" in answer.content.decode()


def test_lost_password_is_replaced_and_shown_once(carol: Client, cast: Cast) -> None:
    assert carol.get("/people/dave/password").status_code == 405
    password = password_in(carol.post("/people/dave/password").content.decode())
    cast.dave.refresh_from_db()
    assert cast.dave.check_password(password)


def test_person_who_does_not_exist_is_a_404(carol: Client) -> None:
    assert carol.get("/people/nobody/").status_code == 404
    assert carol.post("/people/nobody/password").status_code == 404
    assert carol.get("/people/a%00b/").status_code == 404
