"""Reads of people and of their tokens."""

from __future__ import annotations

from django.db.models import Count, Max, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from kafkaconsole.accounts.models import ApiToken, User


def everyone() -> QuerySet[User]:
    """People and service accounts, by user name."""
    return User.objects.order_by("username")


def people() -> QuerySet[User]:
    """Those who sign in, by user name."""
    return everyone().filter(is_service=False)


def service_accounts() -> QuerySet[User]:
    """Those who never do, by user name, with `tokens_in_force`."""
    in_force = Q(tokens__revoked_at=None, tokens__expires_at__gt=timezone.now())
    found = everyone().filter(is_service=True)
    return found.annotate(tokens_in_force=Count("tokens", filter=in_force), last_used_at=Max("tokens__last_used_at"))


def bearer_of(username: str) -> User | None:
    """The person or service account of that user name, if any; no row can hold a NUL, so nobody is called so."""
    return None if "\0" in username else User.objects.filter(username=username).first()


def person_named(username: str) -> User:
    """One person, or Http404."""
    person = account_named(username)
    if person.is_service:
        raise Http404(f"{username!r} is a service account.")
    return person


def account_named(username: str) -> User:
    """One person or service account, or Http404."""
    account = bearer_of(username)
    if account is None:
        raise Http404(f"There is nobody called {username!r}.")
    return account


def service_named(username: str) -> User:
    """One service account, or Http404."""
    account = bearer_of(username)
    if account is None or not account.is_service:
        raise Http404(f"There is no service account called {username!r}.")
    return account


def tokens_of(person: User) -> QuerySet[ApiToken]:
    """The person's tokens, newest first."""
    return person.tokens.order_by("-created_at", "-pk")


def token_of(person: User, token_id: int) -> ApiToken:
    """One of the person's own tokens, or Http404."""
    token = tokens_of(person).filter(pk=token_id).first()
    if token is None:
        raise Http404(f"{person.username} has no token {token_id}.")
    return token
