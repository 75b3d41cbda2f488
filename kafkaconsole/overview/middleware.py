"""Turns a ConsoleError that a view lets pass into a page that says what to do, and Django's bare 405 too."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from kafkaconsole.errors import ConsoleError
from kafkaconsole.overview.errors import WrongMethod
from kafkaconsole.overview.views.refusals import refused

API = "/api/"


class ProblemPages:
    """One place where refusals become pages; the API has its own (problem+json)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass on; an answer that names the right method, and nothing else, becomes a page."""
        answer = self.get_response(request)
        if not isinstance(answer, HttpResponseNotAllowed) or answer.content or request.path_info.startswith(API):
            return answer
        allowed = answer["Allow"]
        page = refused(request, WrongMethod(method=request.method, allowed=allowed))
        page["Allow"] = allowed
        return page

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Draw the refusal; leave bugs to crash."""
        return refused(request, exception) if isinstance(exception, ConsoleError) else None
