"""Pages for calls that Django itself turns away: each says what was found, what the limit is and what to do."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import (
    DisallowedHost,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.shortcuts import render

from kafkaconsole.errors import ConsoleError
from kafkaconsole.overview.errors import FormOutdated, Malformed, TooLarge, TooManyFields, TooManyFiles

SAID = "#said"
"""Where base.html has room for a refusal of what a part of the page sent."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400. A stranger's Host header gets no page: its links would lead to where the stranger says."""
    if isinstance(exception, DisallowedHost):
        return HttpResponseBadRequest("This console does not answer to that host name.\n", content_type="text/plain")
    return refused(request, _error_of(request, exception))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's CSRF_FAILURE_VIEW. The reason is in the log."""
    return refused(request, FormOutdated())


def refused(request: HttpRequest, error: ConsoleError) -> HttpResponse:
    """The refusal as a page; for a part of a page as a notice at its top, so that what was typed stays where it is."""
    _forget_bad_query(request)
    is_part = request.method != "GET" and bool(request.headers.get("HX-Request"))
    facts = {"problem": error, "was_sent": request.method == "POST"}
    answer = render(request, "_refused.html" if is_part else "problem.html", facts, status=error.status)
    if is_part:
        answer["HX-Retarget"], answer["HX-Reswap"] = SAID, "innerHTML show:window:top"
    return answer


def _forget_bad_query(request: HttpRequest) -> None:
    """The page's own parts ask for the query; one of too many fields would raise each time."""
    try:
        request.GET.get("q")
    except SuspiciousOperation:
        request.GET = QueryDict()


def _error_of(request: HttpRequest, exception: Exception) -> ConsoleError:
    match exception:
        case RequestDataTooBig():
            most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
            sent = request.META.get("CONTENT_LENGTH") or ""
            found = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 19 else None
            return TooLarge(found_bytes=found, most_bytes=most)
        case TooManyFieldsSent():
            return TooManyFields(most=settings.DATA_UPLOAD_MAX_NUMBER_FIELDS)
        case TooManyFilesSent():
            return TooManyFiles(most=settings.DATA_UPLOAD_MAX_NUMBER_FILES)
    return Malformed()
