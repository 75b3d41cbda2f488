"""Two things around the API: group names with any character in one URL segment, and problems for Django's own errors."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote, unquote_to_bytes, urlsplit

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from kafkaconsole.api import problems

PREFIX = "/api/"
CLUSTERS = "/api/v1/clusters/"
GROUPS = "groups"
GROUP_AT = 6
"""Which segment of /api/v1/clusters/{cluster}/groups/{group} the name is."""
AFTER_A_GROUP = ("history",)


class ApiPaths:
    """A server decodes `%2F` before Django sees the path, and a group's name may hold a slash. So the path is read
    from what was sent (`RAW_URI` of gunicorn, `REQUEST_URI` of others), and the name stays encoded up to its converter.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Encode the group's name in `path_info`; a path with NUL or broken UTF-8 names nothing."""
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        path = _with_encoded_group(request) if request.path_info.startswith(CLUSTERS) else request.path_info
        if path is None or "\0" in path:
            return _no_such_path(request)
        request.path_info = path
        return self.get_response(request)


class ApiProblems:
    """Whatever goes wrong under /api/ outside a call (no such path, wrong method, a bug) is a problem document too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Replace pages with problems."""
        answer = self.get_response(request)
        if not request.path_info.startswith(PREFIX) or answer.status_code < 400:
            return answer
        if answer.get("Content-Type", "").startswith(problems.CONTENT_TYPE):
            return answer
        return _problem_for(request, answer)


def _problem_for(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    if answer.status_code == 404:
        return _no_such_path(request)
    if answer.status_code == 405:
        allowed = answer.get("Allow", "")
        facts = {"path": request.path_info, "method": request.method, "allowed": allowed}
        problem = problems.respond(405, "api.method_not_allowed", facts)
        problem["Allow"] = allowed
        return problem
    if answer.status_code >= 500:
        return problems.respond(answer.status_code, "api.failed", {})
    return problems.respond(answer.status_code, "api.bad_request", {"reason": answer.reason_phrase.lower()})


def _no_such_path(request: HttpRequest) -> HttpResponse:
    return problems.respond(404, "api.no_such_path", {"method": request.method, "path": request.path_info})


def _with_encoded_group(request: HttpRequest) -> str | None:
    """The path with the group's name encoded; None when it is no UTF-8 or holds NUL."""
    raw = request.META.get("RAW_URI") or request.META.get("REQUEST_URI")
    if raw:
        segments = urlsplit(raw).path.removeprefix(request.META.get("SCRIPT_NAME", "")).split("/")
    else:
        segments = _segments_of_decoded(request.path_info)
    if len(segments) < GROUP_AT + 1 or segments[GROUP_AT - 1] != GROUPS:
        return request.path_info
    try:
        decoded = [unquote_to_bytes(segment).decode() for segment in segments]
    except UnicodeDecodeError:
        return None
    name = decoded[GROUP_AT]
    return None if "\0" in name else "/".join([*decoded[:GROUP_AT], quote(name, safe=""), *decoded[GROUP_AT + 1 :]])


def _segments_of_decoded(path: str) -> list[str]:
    """Without the raw path (a development server, a test client): the name is what lies between `groups` and the end."""
    head, _, rest = path.partition(f"/{GROUPS}/")
    if not rest or head.count("/") != GROUP_AT - 2:
        return []
    tail: list[str] = []
    for word in AFTER_A_GROUP:
        if rest.endswith(f"/{word}"):
            rest, tail = rest.removesuffix(f"/{word}"), [word]
    return [*(quote(segment) for segment in head.split("/")), GROUPS, quote(rest, safe=""), *tail]
