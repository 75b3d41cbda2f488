"""Turns a ConsoleError that a view lets pass into a page that says what to do."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from kafkaconsole.errors import ConsoleError


class ProblemPages:
    """One place where refusals become pages; the API has its own (problem+json)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass on."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Draw the refusal; leave bugs to crash."""
        if not isinstance(exception, ConsoleError):
            return None
        return render(request, "problem.html", {"problem": exception}, status=exception.status)
