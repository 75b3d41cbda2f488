"""Nothing else opens before a second factor is set up, for those whose role asks for one."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from kafkaconsole.accounts.models import User
from kafkaconsole.teams import second_factors
from kafkaconsole.words import shown

SIGN_IN = ("account_login", "account_logout", "account_change_password", "account_reauthenticate")
OPEN = (*SIGN_IN, "set_language", "healthz")
API = "/api/"


class SecondFactorFirst:
    """Leads a person without a second factor to the page where they set one up. The API refuses by itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass on."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: object) -> HttpResponse | None:
        """None where the page may open."""
        here = (request.resolver_match.url_name if request.resolver_match else None) or ""
        if here in OPEN or here.startswith("mfa_") or request.path_info.startswith(API):
            return None
        if not isinstance(request.user, User):
            return None
        verdict = second_factors.is_set_up(request.user)
        if verdict:
            return None
        messages.warning(request, shown(verdict.reason))
        return redirect("mfa_index")
