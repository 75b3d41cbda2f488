"""Tokens: shown once, kept as a hash, ended at once."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from kafkaconsole.accounts import actions, tokens
from kafkaconsole.accounts.errors import BadToken
from kafkaconsole.accounts.models import ApiToken
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from tests.factories import Cast


def _make(cast: Cast, *, days: int = 30) -> tuple[ApiToken, str]:
    return tokens.create(cast.alice, "deploy script", ["read", "request"], timezone.now() + timedelta(days=days))


def test_a_token_signs_its_owner_in_with_its_scopes(cast: Cast) -> None:
    _, plain = _make(cast)
    assert tokens.authenticate(plain) == (cast.alice, frozenset({"read", "request"}))


def test_the_token_itself_is_kept_nowhere(cast: Cast) -> None:
    token, plain = _make(cast)
    token.refresh_from_db()
    kept = [str(value) for value in vars(token).values()] + [str(AuditEvent.objects.get().facts)]
    assert not any(plain in value for value in kept)
    assert token.prefix == plain[:12]


@pytest.mark.parametrize("plain", ["", "kc_", "kc_nonsense", "nonsense", "kc_\0"])
def test_other_text_signs_nobody_in(cast: Cast, plain: str) -> None:
    _make(cast)
    assert tokens.authenticate(plain) is None


def test_an_expired_token_signs_nobody_in(cast: Cast) -> None:
    _, plain = _make(cast, days=1)
    with time_machine.travel(timezone.now() + timedelta(days=1, seconds=1)):
        assert tokens.authenticate(plain) is None


def test_a_token_of_a_person_who_left_signs_nobody_in(cast: Cast) -> None:
    _, plain = _make(cast)
    cast.alice.is_active = False
    cast.alice.save()
    assert tokens.authenticate(plain) is None


def test_a_revoked_token_ends_at_once(cast: Cast) -> None:
    token, plain = _make(cast)
    tokens.revoke(token, by=cast.alice)
    tokens.revoke(token, by=cast.alice)
    assert tokens.authenticate(plain) is None
    assert [event.verb for event in AuditEvent.objects.order_by("number")] == ["token.created", "token.revoked"]


def test_only_owner_and_administrator_revoke(cast: Cast) -> None:
    token, plain = _make(cast)
    for person in (cast.bob, cast.eve):
        with pytest.raises(NotAllowed):
            tokens.revoke(token, by=person)
    tokens.revoke(token, by=cast.carol)
    assert tokens.authenticate(plain) is None


@pytest.mark.parametrize(
    ("name", "scopes", "days", "field"),
    [
        ("", ["read"], 1, "name"),
        ("x" * 81, ["read"], 1, "name"),
        ("ok", [], 1, "scopes"),
        ("ok", ["read", "everything"], 1, "scopes"),
        ("ok", ["read"], -1, "expires_at"),
        ("ok", ["read"], 500, "expires_at"),
    ],
)
def test_a_token_that_cannot_be_made_is_refused_by_field(
    cast: Cast, name: str, scopes: list[str], days: int, field: str
) -> None:
    with pytest.raises(BadToken) as refused:
        tokens.create(cast.alice, name, scopes, timezone.now() + timedelta(days=days))
    assert refused.value.facts["field"] == field


def test_use_is_noted_once_a_minute(cast: Cast) -> None:
    token, plain = _make(cast)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        tokens.authenticate(plain)
        token.refresh_from_db()
        first = token.last_used_at
        clock.shift(30)
        tokens.authenticate(plain)
        token.refresh_from_db()
        assert token.last_used_at == first
        clock.shift(31)
        tokens.authenticate(plain)
        token.refresh_from_db()
        assert first is not None and token.last_used_at == first + timedelta(seconds=61)


def test_tokens_that_ended_long_ago_are_cleared_away(cast: Cast) -> None:
    _make(cast, days=1)
    kept, _ = _make(cast, days=90)
    with time_machine.travel(timezone.now() + timedelta(days=40)):
        actions.tidy()
    assert list(ApiToken.objects.all()) == [kept]
