"""A person's own page: settings, tokens shown once and revoked, the password."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import ApiToken, Scope
from kafkaconsole.audit.models import AuditEvent
from tests.factories import PASSWORD, Cast

OWN = "a phrase of her own"


@pytest.fixture
def alice(cast: Cast, client: Client) -> Client:
    """Alice's browser."""
    client.force_login(cast.alice)
    return client


def test_signed_out_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/profile").status_code == 302
    assert client.post("/profile/tokens").status_code == 302


def test_settings_are_kept(alice: Client, cast: Cast) -> None:
    assert alice.post("/profile", {"name": "Alice Kim", "time_zone": "Asia/Seoul"}).status_code == 302
    html = alice.get("/profile").content.decode()
    assert 'value="Alice Kim"' in html
    assert "Times in Asia/Seoul" in html


def test_zone_that_does_not_exist_is_named(alice: Client) -> None:
    answer = alice.post("/profile", {"name": "Alice", "time_zone": "Moon/Base"})
    assert answer.status_code == 422
    assert "not one of the available choices" in answer.content.decode()


def test_token_is_shown_once_and_works(alice: Client, cast: Cast) -> None:
    answer = alice.post("/profile/tokens", {"name": "nightly", "scopes": ["read", "request"], "days": "30"})
    html = answer.content.decode()
    (plain,) = set(re.findall(r"kc_[\w-]{40,}", html))
    assert tokens.authenticate(plain) == (cast.alice, frozenset({"read", "request"}))
    assert "no-store" in answer["Cache-Control"]
    later = alice.get("/profile").content.decode()
    assert plain not in later
    assert plain[:12] in later
    assert AuditEvent.objects.exclude(verb="person.signed_in").get().verb == "token.created"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "", "scopes": ["read"], "days": "30"}, "This field is required"),
        ({"name": "x", "days": "30"}, "This field is required"),
        ({"name": "x", "scopes": ["root"], "days": "30"}, "not one of the available choices"),
        ({"name": "x", "scopes": ["read"], "days": "9999"}, "not one of the available choices"),
    ],
)
def test_token_that_cannot_be_made_is_refused(fields: dict[str, object], said: str, alice: Client) -> None:
    answer = alice.post("/profile/tokens", fields)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_token_is_revoked(alice: Client, cast: Cast) -> None:
    token, plain = tokens.create(cast.alice, "x", [Scope.READ], timezone.now() + timedelta(days=1))
    assert alice.get(f"/profile/tokens/{token.pk}/revoke").status_code == 405
    assert alice.post(f"/profile/tokens/{token.pk}/revoke").status_code == 302
    assert tokens.authenticate(plain) is None
    assert "revoked" in alice.get("/profile").content.decode()


def test_token_of_another_person_is_not_there(alice: Client, cast: Cast) -> None:
    token, plain = tokens.create(cast.bob, "x", [Scope.READ], timezone.now() + timedelta(days=1))
    assert alice.post(f"/profile/tokens/{token.pk}/revoke").status_code == 404
    assert tokens.authenticate(plain) is not None
    assert "kc_" not in alice.get("/profile").content.decode()


def test_password_is_changed_with_its_record(alice: Client, cast: Cast) -> None:
    sent = {"oldpassword": PASSWORD, "password1": OWN, "password2": OWN}
    answer = alice.post("/accounts/password/change/", sent)
    assert answer["Location"] == "/"
    cast.alice.refresh_from_db()
    assert cast.alice.check_password(OWN)
    assert AuditEvent.objects.exclude(verb="person.signed_in").get().verb == "person.password_changed"
    assert alice.get("/profile").status_code == 200  # still signed in


def test_password_that_is_wrong_or_weak_changes_nothing(alice: Client, cast: Cast) -> None:
    for sent in (
        {"oldpassword": "wrong", "password1": OWN, "password2": OWN},
        {"oldpassword": PASSWORD, "password1": "short", "password2": "short"},
        {"oldpassword": PASSWORD, "password1": OWN, "password2": "another"},
    ):
        assert alice.post("/accounts/password/change/", sent).status_code == 200
    cast.alice.refresh_from_db()
    assert cast.alice.check_password(PASSWORD)
    assert not AuditEvent.objects.exclude(verb="person.signed_in").exists()


def test_language_is_offered(alice: Client) -> None:
    html = alice.get("/profile").content.decode()
    assert 'value="ko"' in html
    assert alice.post("/i18n/setlang/", {"language": "ko", "next": "/profile"}).status_code == 302
    assert '<html lang="ko"' in alice.get("/profile").content.decode()
