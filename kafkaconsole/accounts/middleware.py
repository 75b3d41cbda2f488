"""Each person's zone for the page: their own, else the browser's (a cookie), else UTC."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

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
