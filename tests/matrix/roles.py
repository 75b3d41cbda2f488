"""The eleven who call, and how each is known to the console."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.test import Client
from django.utils import timezone

from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import ApiToken, Scope, User

ROLES = (
    "anonymous",
    "outsider",
    "member",
    "requester",
    "approver",
    "owner",
    "auditor",
    "administrator",
    "expired",
    "unscoped",
    "removed",
)
BY_TOKEN_ALONE = ("expired", "unscoped")


@dataclass(frozen=True)
class Caller:
    """One role: its session (none for those who come with a token alone), and its token for each scope left out."""

    session: str | None
    tokens: dict[str, str]

    def client(self) -> Client:
        """A browser, signed in if the role is; CSRF is looked at in a test of its own."""
        client = Client(raise_request_exception=False)
        if self.session is not None:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.session
        return client

    def header(self, scope: str) -> dict[str, str]:
        """The token with which a call that needs this scope is made."""
        token = self.tokens.get(scope)
        return {"Authorization": f"Bearer {token}"} if token else {}


def callers(people: dict[str, User]) -> dict[str, Caller]:
    """Every role. The two tokens that are no good are Carol's, who may do most."""
    known = {role: Caller(_session(person), _tokens(person)) for role, person in people.items()}
    carol = people["administrator"]
    return {
        **known,
        "anonymous": Caller(None, {}),
        "expired": Caller(None, _expired(carol)),
        "unscoped": Caller(None, _without_one(carol)),
    }


def _session(person: User) -> str:
    client = Client()
    client.force_login(person)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _token(person: User, scopes: list[str]) -> str:
    ends = timezone.now() + timedelta(hours=1)
    return tokens.create(person, "matrix", scopes, ends, by=person)[1]


def _tokens(person: User) -> dict[str, str]:
    return dict.fromkeys(Scope.values, _token(person, list(Scope.values)))


def _without_one(person: User) -> dict[str, str]:
    return {scope: _token(person, [one for one in Scope.values if one != scope]) for scope in Scope.values}


def _expired(person: User) -> dict[str, str]:
    known = _tokens(person)
    newest = ApiToken.objects.filter(owner=person).latest("pk")
    ApiToken.objects.filter(pk=newest.pk).update(expires_at=timezone.now() - timedelta(hours=1))
    return known
