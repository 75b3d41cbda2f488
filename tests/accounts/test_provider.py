"""Signing in by a provider: who is let in, which roles claims give and take, and why somebody is not let in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import TOTP
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from kafkaconsole import environment
from kafkaconsole.accounts import people
from kafkaconsole.accounts.models import User
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.teams import actions as teams
from kafkaconsole.teams.models import Membership
from tests.accounts.providers import CALLBACK, SECRET, START, Provider, running
from tests.accounts.test_second_factors import SECRET as APP
from tests.factories import Cast

ALICE = {"email": "alice@example.com", "email_verified": True}


@pytest.fixture
def provider(settings: Settings, cast: Cast) -> Iterator[Provider]:
    """A real one; Alice, Bob and Carol have mail addresses here, and three groups have roles."""
    for person in (cast.alice, cast.bob, cast.carol):
        User.objects.filter(pk=person.pk).update(email=f"{person.username}@example.com")
    settings.OIDC_ROLES = [
        ("kafka-admins", "administrator"),
        ("search-people", "search:member"),
        ("search-signers", "search:approver"),
        ("ghosts", "nowhere:member"),
    ]
    with running(settings) as found:
        yield found


def role_of(username: str, team: str = "search") -> str | None:
    return Membership.objects.filter(user__username=username, team__slug=team).values_list("role", flat=True).first()


def come(provider: Provider, username: str, *groups: str, **claims: object) -> Client:
    """Somebody of that name and address at the provider signs in, in a new browser."""
    client = Client()
    mail = {"email": f"{username}@example.com", "email_verified": True, "preferred_username": username}
    provider.knows(username, **{**mail, "groups": list(groups), **claims})
    provider.sign_in(client, username)
    return client


def is_in(client: Client) -> bool:
    return client.get("/profile").status_code == 200


def test_the_sign_in_page_offers_it_where_it_is_set_up(provider: Provider, client: Client, settings: Settings) -> None:
    assert "Sign in with OpenID Connect" in client.get("/accounts/login/").content.decode()
    settings.OIDC_SERVER_URL, settings.SOCIALACCOUNT_PROVIDERS = "", {}
    assert "Sign in with" not in client.get("/accounts/login/").content.decode()
    assert client.post(START).status_code == 404
    assert client.get(CALLBACK).status_code == 404


def test_verified_mail_address_leads_to_ones_own_account(provider: Provider, cast: Cast) -> None:
    client = come(provider, "alice")
    assert "Alice" in client.get("/profile").content.decode()
    assert SocialAccount.objects.get().user == cast.alice
    verbs = list(AuditEvent.objects.order_by("number").values_list("verb", flat=True))
    assert verbs == ["person.provider_linked", "person.signed_in"]


def test_once_linked_the_provider_s_name_for_a_person_counts_and_not_the_address(
    provider: Provider, cast: Cast
) -> None:
    come(provider, "alice")
    client = come(provider, "alice", email="bob@example.com")
    assert SocialAccount.objects.get().user == cast.alice
    assert "Alice" in client.get("/profile").content.decode()


@pytest.mark.parametrize("claims", [{"email_verified": False}, {"email_verified": "true"}, {"email": ""}])
def test_address_that_is_not_verified_is_nobody_s(
    claims: dict[str, object], provider: Provider, client: Client
) -> None:
    provider.knows("mallory", **{**ALICE, **claims})
    answer = provider.sign_in(client, "mallory")
    assert answer.status_code == 403
    assert "has verified no mail address" in getattr(answer, "content", b"").decode()
    assert not is_in(client)
    assert not SocialAccount.objects.exists()


def test_address_of_two_accounts_is_refused(provider: Provider, cast: Cast) -> None:
    User.objects.filter(pk=cast.dave.pk).update(email="ALICE@example.com")
    assert not is_in(come(provider, "alice"))


def test_stranger_without_a_group_that_has_a_role_is_refused(provider: Provider) -> None:
    assert not is_in(come(provider, "frank", "gardeners"))
    assert not User.objects.filter(username="frank").exists()


def test_stranger_with_such_a_group_is_added(provider: Provider, cast: Cast) -> None:
    assert is_in(come(provider, "frank", "search-people", name="Frank Moreau"))
    frank = User.objects.get(username="frank")
    assert (str(frank), frank.has_usable_password(), role_of("frank")) == ("Frank Moreau", False, "member")
    assert AuditEvent.objects.filter(verb="person.added", actor=frank).exists()


def test_stranger_does_not_take_a_user_name_that_is_here(provider: Provider, cast: Cast) -> None:
    claims = {"email": "other@example.com", "preferred_username": "Carol"}
    assert not is_in(come(provider, "frank", "search-people", **claims))
    assert not User.objects.filter(email="other@example.com").exists()


def test_claims_give_roles_and_take_them_away_again(provider: Provider, cast: Cast) -> None:
    come(provider, "alice", "search-people", "search-signers", "kafka-admins")
    cast.alice.refresh_from_db()
    assert (role_of("alice"), cast.alice.role) == ("approver", "administrator")
    come(provider, "alice", "search-people")
    cast.alice.refresh_from_db()
    assert (role_of("alice"), cast.alice.role) == ("member", "member")
    come(provider, "alice")
    assert role_of("alice") is None
    told = [one.facts["changed"] for one in AuditEvent.objects.filter(verb="person.claims_applied").order_by("number")]
    assert told == [
        {"everywhere": ["member", "administrator"], "search": [None, "approver"]},
        {"everywhere": ["administrator", "member"], "search": ["approver", "member"]},
        {"search": ["member", None]},
    ]


def test_what_was_given_by_hand_stays(provider: Provider, cast: Cast) -> None:
    come(provider, "alice", "search-people")
    teams.set_role(by=cast.carol, team=cast.search, user=cast.alice, role="owner")
    come(provider, "alice", "search-people")
    come(provider, "alice")
    assert (role_of("alice"), role_of("alice", "billing")) == ("owner", "member")


def test_group_whose_team_is_not_there_gives_nothing(provider: Provider, cast: Cast) -> None:
    assert is_in(come(provider, "alice", "ghosts"))
    assert not AuditEvent.objects.filter(verb="person.claims_applied").exists()


def test_last_administrator_is_not_demoted_by_a_claim(provider: Provider, cast: Cast) -> None:
    come(provider, "alice", "kafka-admins")
    cast.alice.refresh_from_db()
    people.change(by=cast.alice, person=cast.carol, role="member", is_active=True)
    come(provider, "alice")
    cast.alice.refresh_from_db()
    assert cast.alice.is_administrator
    kept = AuditEvent.objects.filter(verb="person.claims_applied").latest("number").facts["changed"]["everywhere"]
    assert kept[2] == "kept: the last administrator"


def test_whoever_was_shut_out_here_stays_out(provider: Provider, cast: Cast) -> None:
    come(provider, "alice")
    people.change(by=cast.carol, person=cast.alice, role="member", is_active=False)
    client = Client()
    answer = provider.sign_in(client, "alice")
    assert (answer.status_code, is_in(client)) == (403, False)
    event = AuditEvent.objects.latest("number")
    assert (event.verb, event.actor) == ("person.sign_in_failed", None)
    assert "may no longer sign in" in event.facts["reason"]


def test_claim_that_is_no_list_of_names_is_refused(provider: Provider) -> None:
    assert not is_in(come(provider, "alice", **{"groups": [{"name": "kafka-admins"}]}))


def test_nobody_links_a_provider_to_the_account_that_is_signed_in(provider: Provider, cast: Cast) -> None:
    client = Client()
    client.force_login(cast.carol)
    provider.knows("mallory", email="mallory@example.com", email_verified=True)
    answer = client.get(provider.send_back(client, "mallory", start=f"{START}?process=connect"))
    assert answer.status_code == 403
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize("query", ["", "?code=x", "?code=x&state=y", "?error=access_denied&state=y"])
def test_answer_that_nobody_asked_for_signs_nobody_in(query: str, provider: Provider, client: Client) -> None:
    answer = client.get(f"{CALLBACK}{query}", follow=True)
    assert "Nobody is signed in" in answer.content.decode()
    assert not is_in(client)


def test_code_is_good_for_once(provider: Provider, client: Client) -> None:
    provider.knows("alice", **ALICE)
    address = provider.send_back(client, "alice")
    client.get(address)
    other = Client()
    other.get(address)
    assert (is_in(client), is_in(other)) == (True, False)


def test_a_role_that_needs_a_second_factor_needs_it_here(provider: Provider, cast: Cast, settings: Settings) -> None:
    settings.SECOND_FACTOR_ROLES = ["approver"]
    client = come(provider, "bob")
    assert client.get("/requests", follow=True).redirect_chain == [("/accounts/2fa/", 302)]
    TOTP.activate(cast.bob, APP)
    asked = come(provider, "bob")
    assert not is_in(asked), "the code is asked for after the provider too"
    assert 'name="code"' in asked.get("/accounts/2fa/authenticate/").content.decode()


def test_whoever_has_no_password_here_sets_the_second_factor_up_all_the_same(
    provider: Provider, settings: Settings
) -> None:
    settings.SECOND_FACTOR_ROLES = ["member"]
    client = come(provider, "frank", "search-people")
    assert client.get("/profile", follow=True).redirect_chain == [("/accounts/2fa/", 302)]
    assert client.get("/accounts/2fa/totp/activate/").status_code == 200
    assert client.get("/accounts/2fa/webauthn/add/").status_code == 200
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        assert client.get("/accounts/2fa/totp/activate/").status_code == 403, "a browser left open sets nothing up"
    assert come(provider, "frank", "search-people").get("/accounts/2fa/totp/activate/").status_code == 200


def test_no_secret_and_no_code_is_logged_or_kept(
    provider: Provider, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    provider.knows("alice", **ALICE)
    address = provider.send_back(client, "alice")
    caplog.clear()
    client.get(address)
    ours = [str(one.msg) for one in caplog.records if not one.name.startswith(("werkzeug", "oidc", "urllib3"))]
    code = address.partition("code=")[2].partition("&")[0]
    assert ours
    assert not [line for line in ours if SECRET in line or code in line]
    assert not SocialToken.objects.exists()
    assert not is_in(Client())


@pytest.mark.parametrize("entry", ["admins", "admins=boss", "=administrator", "a=Team Search:member"])
def test_a_role_that_cannot_be_given_stops_the_boot(entry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OIDC_ROLES", f"cn=ops,dc=example=auditor; {entry}")
    with pytest.raises(ImproperlyConfigured, match="OIDC_ROLES"):
        environment.mapped("OIDC_ROLES", "administrator|auditor|[a-z-]+:member")


def test_group_names_may_hold_commas_and_equals_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OIDC_ROLES", "cn=ops,dc=example=auditor; b=c:member")
    found = environment.mapped("OIDC_ROLES", "administrator|auditor|[a-z-]+:member")
    assert found == [("cn=ops,dc=example", "auditor"), ("b", "c:member")]
