"""The sentences of the API, found by code, filled by facts."""

from __future__ import annotations

from collections.abc import Mapping

from kafkaconsole.words import phrase, words

SENTENCES: Mapping[str, str] = {
    "api.not_signed_in": phrase(
        "{found}. Send `Authorization: Bearer TOKEN` with a token in force (page Profile), or sign in with a browser."
    ),
    "api.missing_scope": phrase(
        "This call needs a token with the scope `{needed}`; this one has {scopes}. Make another token on page Profile."
    ),
    "api.second_factor_needed": phrase("{reason}"),
    "api.csrf_failed": phrase("A write from a browser session needs the page's CSRF token in the header X-CSRFToken."),
    "api.too_many_calls": phrase("More than {most} calls in a minute. Wait {wait_s} s and call again."),
    "api.bad_body": phrase("{field}: found {found}, expected {expected}."),
    "api.unknown_parameter": phrase("This call takes no parameter {found}, only: {expected}. Nothing was done."),
    "api.bad_cursor": phrase(
        "This cursor belongs to no list with these filters. Take it unchanged from `next` of the page before, "
        "or leave it out to begin anew."
    ),
    "api.bad_idempotency_key": phrase("{field}: found {found}, expected {expected}."),
    "api.idempotency_key_reused": phrase(
        "The Idempotency-Key {key} was used for another call ({first}) or another body. Use a new key for a new call."
    ),
    "api.idempotency_key_in_use": phrase(
        "The first call with the Idempotency-Key {key} has not ended. Ask again in a moment."
    ),
    "api.no_such_path": phrase("There is no {method} {path}. The calls are listed at /api/v1/docs."),
    "api.not_found": phrase("{reason}"),
    "api.method_not_allowed": phrase("{path} does not take {method}, only {allowed}."),
    "api.body_too_large": phrase("The body is larger than {most} bytes. Send less at a time."),
    "api.bad_request": phrase("The request cannot be read: {reason}."),
    "api.failed": phrase("The console failed on this call; it has been logged. Try again, and tell its administrator."),
}


def sentence(code: str, facts: Mapping[str, object]) -> str:
    """The sentence for a code of this app; KeyError: not ours."""
    if code == "api.bad_parameters":
        return _bad_parameters(facts)
    return words(SENTENCES[code], **facts)


def _bad_parameters(facts: Mapping[str, object]) -> str:
    problems = facts["problems"]
    first = problems[0] if isinstance(problems, list) and problems else {}
    told = {name: first.get(name) for name in ("field", "found", "expected")}
    if facts["total"] == 1:
        return words("{field}: found {found}, expected {expected}.", **told)
    return words(
        "{field}: found {found}, expected {expected}. There are {total} problems in all.", **told, total=facts["total"]
    )
