"""What the API itself refuses; everything else is refused by the actions that it calls."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, ConsoleError, Refused


class NotSignedIn(ConsoleError):
    """Neither a token in force nor a browser session. Facts: found."""

    code = "api.not_signed_in"
    status = 401


class MissingScope(Refused):
    """The token may not be used for this. Facts: needed, scopes."""

    code = "api.missing_scope"
    status = 403


class SecondFactorNeeded(Refused):
    """The caller's role needs a second factor, and they have none. Facts: reason."""

    code = "api.second_factor_needed"
    status = 403


class CsrfFailed(Refused):
    """A write from a browser session without the right X-CSRFToken header."""

    code = "api.csrf_failed"
    status = 403


class TooManyCalls(ConsoleError):
    """More calls in a minute than this caller may make. Facts: most, wait_s."""

    code = "api.too_many_calls"
    status = 429


class BadBody(BadInput):
    """The body is not JSON in UTF-8, or not JSON that the console can keep. Facts: field, found, expected."""

    code = "api.bad_body"
    status = 400


class BadParameters(BadInput):
    """Fields of the path, the query or the body that cannot be used. Facts: problems, total."""

    code = "api.bad_parameters"


class UnknownParameter(BadInput):
    """A query parameter that this call does not take: a filter with a typing error must not widen the answer.

    Facts: field, found, expected.
    """

    code = "api.unknown_parameter"


class BadCursor(BadInput):
    """A cursor that this list did not give, or that was given for other filters."""

    code = "api.bad_cursor"


class BadKey(BadInput):
    """An Idempotency-Key of the wrong form. Facts: field, found, expected."""

    code = "api.bad_idempotency_key"


class KeyReused(Refused):
    """The key was used for another call or another body. Facts: key, first."""

    code = "api.idempotency_key_reused"


class KeyInUse(Refused):
    """The first call with this key has not ended. Facts: key."""

    code = "api.idempotency_key_in_use"
