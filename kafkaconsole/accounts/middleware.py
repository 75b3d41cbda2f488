"""Each person's zone for the page: their own, else the browser's (a cookie), else UTC."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django_structlog.middlewares import RequestMiddleware

from kafkaconsole.accounts import sessions

ZONE_COOKIE = "zone"


class TimeZoneMiddleware:
    """Activates the zone in which this answer shows instants; the page names it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Set the zone for this request only."""
        with timezone.override(_zone_of(request)):
            return self.get_response(request)


def _zone_of(request: HttpRequest) -> zoneinfo.ZoneInfo:
    own = getattr(request.user, "time_zone", "") if request.user.is_authenticated else ""
    for name in (own, request.COOKIES.get(ZONE_COOKIE, "")):
        if name:
            try:
                return zoneinfo.ZoneInfo(name)
            except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
                continue
    return zoneinfo.ZoneInfo("UTC")


class OwnPassword:
    """Someone who signed in with a password that an administrator gave them chooses their own before anything else."""

    ALLOWED = ("account_change_password", "account_logout", "set_language", "healthz")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass on."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: object) -> HttpResponse | None:
        """Send them to choose a password; once they have, everything opens."""
        here = request.resolver_match.url_name if request.resolver_match else None
        if not getattr(request.user, "must_change_password", False) or here in self.ALLOWED:
            return None
        return redirect("account_change_password")


class RequestsWithoutCodes(RequestMiddleware):
    """The log of requests, without what a provider of sign-ins hands the browser: a code in the address."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """The method and the address."""
        shown = request.path if request.path.endswith("/login/callback/") else request.get_full_path()
        return f"{request.method} {shown}"


class BrowserSeen:
    """Keeps the list of browsers in which a person is signed in up to date."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Look before the page, so that its answer already shows it."""
        if request.user.is_authenticated:
            sessions.see(request)
        return self.get_response(request)
