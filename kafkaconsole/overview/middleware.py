"""What holds for every page: refusals become pages, nothing is kept by browsers, a slash too many is forgiven."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponsePermanentRedirect
from django.urls import is_valid_path
from django.utils.cache import patch_cache_control
from django.utils.http import escape_leading_slashes

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


class NothingKept:
    """Pages show what only this person may see, and how it is right now: neither browser nor proxy keeps them.

    Static files never come here: WhiteNoise answers before.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Say so on every answer, whoever asked."""
        answer = self.get_response(request)
        patch_cache_control(answer, no_store=True, private=True)
        return answer


class OneSlashTooMany:
    """`/requests/` leads to `/requests`: pages have no slash at their end, and people type one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Lead on where nothing is found, and there is such an address without the slash."""
        answer = self.get_response(request)
        if answer.status_code != HTTPStatus.NOT_FOUND or request.method not in ("GET", "HEAD"):
            return answer
        path, without = request.path_info, request.path_info.rstrip("/")
        if path == without or path.startswith(API) or not without or not is_valid_path(without):
            return answer
        query = request.META.get("QUERY_STRING", "")
        there = escape_leading_slashes(quote(request.path.rstrip("/"))) + (f"?{query}" if query else "")
        return HttpResponsePermanentRedirect(there)
