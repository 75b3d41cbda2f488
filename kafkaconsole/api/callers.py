"""Who calls, and with which scopes: a bearer token, or a browser session with CSRF protection."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import Scope, User
from kafkaconsole.api import errors
from kafkaconsole.teams import second_factors

MINUTE = 60


@dataclass(frozen=True, slots=True)
class Caller:
    """The person, what the call may be used for, and the name under which calls are counted."""

    user: User
    scopes: frozenset[str]
    key: str


class ApiRequest(HttpRequest):
    """A request whose caller is known."""

    auth: Caller


class BearerToken(HttpBearer):
    """`Authorization: Bearer kc_…`. Any other Authorization header is a 401, never a silent fall-back to a cookie."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Caller | None:
        """None when there is no Authorization header at all: then the session is asked."""
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise errors.NotSignedIn(found="The Authorization header is of another kind than Bearer")
        return self.authenticate(request, token.strip())

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """The token's owner, once the token is in force, has the scope and has calls left."""
        known = tokens.authenticate(token)
        if known is None:
            raise errors.NotSignedIn(found="The token is unknown, expired or revoked")
        caller = Caller(*known, key=hashlib.sha256(token.encode()).hexdigest()[:32])
        _count(caller)
        _require_second_factor(caller.user)
        if self.scope not in caller.scopes:
            raise errors.MissingScope(needed=str(self.scope), scopes=", ".join(sorted(caller.scopes)))
        request.user = caller.user
        return caller


class BrowserSession(APIKeyCookie):
    """A page's own calls: every scope, and on writes the header X-CSRFToken."""

    param_name = settings.SESSION_COOKIE_NAME

    def __call__(self, request: HttpRequest) -> Caller | None:
        """None without a session. CSRF is looked at after that, so that a caller without a sign-in gets 401."""
        user = request.user
        if not isinstance(user, User) or not user.is_active:
            return None
        if check_csrf(request) is not None:
            raise errors.CsrfFailed()
        caller = Caller(user, frozenset(Scope.values), key=f"user-{user.pk}")
        _count(caller)
        _require_second_factor(user)
        return caller

    def authenticate(self, request: HttpRequest, key: str | None) -> Caller | None:
        """The same; ninja's base class asks for it."""
        return self(request)


def needs(scope: Scope) -> list[BearerToken | BrowserSession]:
    """What a call with this scope accepts as sign-in."""
    return [BearerToken(scope), BrowserSession()]


def _require_second_factor(user: User) -> None:
    verdict = second_factors.is_set_up(user)
    if not verdict:
        raise errors.SecondFactorNeeded(reason=verdict.reason)


def _count(caller: Caller) -> None:
    """A fixed window of one minute through the cache; counting may miss calls that race, which does no harm here."""
    most = settings.API_CALLS_PER_MINUTE
    if not most:
        return
    now = int(time.time())
    name = f"api-calls-{caller.key}-{now // MINUTE}"
    cache.add(name, 0, timeout=2 * MINUTE)
    try:
        calls = cache.incr(name)
    except ValueError:  # it was dropped in between
        return
    if calls > most:
        raise errors.TooManyCalls(most=most, wait_s=MINUTE - now % MINUTE)
