"""Every error of the API as `application/problem+json` (RFC 9457): one shape, a stable code, a sentence, facts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from kafkaconsole.api import errors
from kafkaconsole.display import sentences
from kafkaconsole.errors import ConsoleError
from kafkaconsole.problems import plain

CONTENT_TYPE = "application/problem+json"
BODY_PROBLEM = "_api_body_problem"
"""Where the parser leaves what is wrong with a body, since ninja tells only that something is."""


def document(status: int, code: str, facts: Mapping[str, object]) -> dict[str, object]:
    """The fields of one problem. `type` is a URN made of the code, `title` the status in words."""
    return {
        "type": f"urn:kafka-console:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": sentences.sentence(code, facts),
        "facts": plain(facts),
    }


def respond(status: int, code: str, facts: Mapping[str, object]) -> HttpResponse:
    """A response with one problem."""
    body = json.dumps(document(status, code, facts), ensure_ascii=False)
    answer = HttpResponse(body, status=status, content_type=CONTENT_TYPE)
    if status == HTTPStatus.UNAUTHORIZED:
        answer["WWW-Authenticate"] = 'Bearer realm="Kafka Console"'
    return answer


def of_stored(problem: Mapping[str, object] | None) -> dict[str, object] | None:
    """A problem that a row keeps (`{"code", "facts"}`), in the same form; None when there is none."""
    if not problem:
        return None
    code, facts = str(problem["code"]), problem.get("facts")
    return document(status_of(code), code, facts if isinstance(facts, Mapping) else {})


@cache
def status_of(code: str) -> int:
    """The HTTP status that belongs to a code; 409 for codes that no error class has."""
    return next((kind.status for kind in _kinds(ConsoleError) if kind.code == code), HTTPStatus.CONFLICT.value)


def _kinds(kind: type[ConsoleError]) -> Iterator[type[ConsoleError]]:
    yield kind
    for one in kind.__subclasses__():
        yield from _kinds(one)


def of_error(request: HttpRequest, error: ConsoleError) -> HttpResponse:
    """A refusal of the console's own."""
    answer = respond(error.status, error.code, error.facts)
    if "wait_s" in error.facts:
        answer["Retry-After"] = str(error.facts["wait_s"])
    return answer


def register(api: NinjaAPI) -> None:
    """Let every error that a call can raise become a problem."""
    handlers: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
        ConsoleError: of_error,
        Http404: _not_found,
        ValidationError: _invalid,
        AuthenticationError: _not_signed_in,
        HttpError: _http_error,
        RequestDataTooBig: _too_big,
        SuspiciousOperation: _unreadable,
        UnreadablePostError: _unreadable,
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)


def _not_found(request: HttpRequest, error: Exception) -> HttpResponse:
    told = str(error)
    reason = "There is nothing here that you may see." if not told or "matches the given query" in told else told
    return respond(404, "api.not_found", {"reason": reason})


def _not_signed_in(request: HttpRequest, error: Exception) -> HttpResponse:
    return of_error(request, errors.NotSignedIn(found="The call carries no sign-in"))


def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    return of_error(request, errors.BadParameters(problems=error.errors, total=len(error.errors)))


def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    known = getattr(request, BODY_PROBLEM, None)
    if isinstance(known, ConsoleError):
        return of_error(request, known)
    return respond(error.status_code, "api.bad_request", {"reason": error.message})


def _too_big(request: HttpRequest, error: Exception) -> HttpResponse:
    return respond(413, "api.body_too_large", {"most": settings.DATA_UPLOAD_MAX_MEMORY_SIZE})


def _unreadable(request: HttpRequest, error: Exception) -> HttpResponse:
    return respond(400, "api.bad_request", {"reason": "the request is malformed or broke off"})
