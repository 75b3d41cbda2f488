"""Pages that join several apps."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def healthz(request: HttpRequest) -> HttpResponse:
    """The web process is up and the database answers."""
    return HttpResponse("ok", content_type="text/plain")
