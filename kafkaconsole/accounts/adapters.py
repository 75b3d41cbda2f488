"""How allauth behaves here: accounts are made by administrators, nobody signs up."""

from __future__ import annotations

import time
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.accounts import people, sessions
from kafkaconsole.accounts.models import User


class ClosedSignup(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """No sign-up page; failed sign-ins count for a name from one address, so that nobody can lock out another."""

    error_messages: ClassVar[dict[str, object]] = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": lazy(
            "Too many attempts to sign in failed from where you are. Wait five minutes and try again. If the password is "
            "lost, an administrator gives you a new one."
        ),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    @transaction.atomic
    def set_password(self, user: User, password: str) -> None:
        """Someone chose their own password: kept and recorded in one transaction. It ends their other sessions."""
        people.choose_password(person=user, password=password)
        here = self.request.session.session_key if self.request.user == user else ""
        sessions.end(person=user, by=user, but=here or "")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """On to the console."""
        return reverse("home")

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Whether changing one's second factor first asks who it is. Whoever has nothing here that could be asked for,
        because they came by the provider, is known for some minutes by that, and then signs in anew."""
        required = bool(super().is_reauthentication_required(app=app, **kwargs))
        return required and not _came_by_provider_lately(self.request)

    def get_client_ip(self, request: HttpRequest) -> str:
        """The caller's address: what the outermost of TRUSTED_PROXIES saw, else the other end of the connection.

        A header that no proxy of ours can have written (too short) is not believed.
        """
        seen = request.headers.get("X-Forwarded-For", "").split(",")
        if 0 < settings.ALLAUTH_TRUSTED_PROXY_COUNT <= len(seen):
            return str(super().get_client_ip(request))
        return str(request.META.get("REMOTE_ADDR") or "unknown")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """What failed attempts are counted by (`login_failed` of ACCOUNT_RATE_LIMITS): name and address together."""
        by_name = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{by_name}:{get_ip(request)}"


def _came_by_provider_lately(request: HttpRequest) -> bool:
    if get_reauthentication_flows(request.user):
        return False
    came = [one["at"] for one in get_authentication_records(request, request.user) if one["method"] == "socialaccount"]
    return bool(came) and time.time() - max(came) < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
