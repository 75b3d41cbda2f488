"""Addresses that the sign-in library brings and this console does not have: nobody signs up, and no codes go by mail."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse


def closed(request: HttpRequest, **kwargs: str) -> HttpResponse:
    """There is no such page, by any method."""
    raise Http404(f"{request.path} is not part of this console.")
