"""Reads of people and of their tokens."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404

from kafkaconsole.accounts.models import ApiToken, User


def people() -> QuerySet[User]:
    """Everyone, by user name."""
    return User.objects.order_by("username")


def bearer_of(username: str) -> User | None:
    """The person of that user name, if any; no row can hold a NUL, so nobody is called so."""
    return None if "\0" in username else User.objects.filter(username=username).first()


def person_named(username: str) -> User:
    """One person, or Http404."""
    person = bearer_of(username)
    if person is None:
        raise Http404(f"There is nobody called {username!r}.")
    return person


def tokens_of(person: User) -> QuerySet[ApiToken]:
    """The person's tokens, newest first."""
    return person.tokens.order_by("-created_at", "-pk")


def token_of(person: User, token_id: int) -> ApiToken:
    """One of the person's own tokens, or Http404."""
    token = tokens_of(person).filter(pk=token_id).first()
    if token is None:
        raise Http404(f"You have no token {token_id}.")
    return token
