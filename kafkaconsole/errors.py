"""The root of every error that the console raises on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class ConsoleError(Exception):
    """A refusal or a failure with a stable code and the facts its sentence needs.

    The code is part of the API (`reset.group_still_active`); the sentence that people read is
    looked up by code (`kafkaconsole.display.sentences`) and filled with `facts`. Nobody parses `str(error)`.
    """

    code: ClassVar[str] = "console.error"
    status: ClassVar[int] = 400

    def __init__(self, **facts: object) -> None:
        super().__init__(self.code, facts)
        self.facts: Mapping[str, object] = facts

    def __str__(self) -> str:
        return f"{self.code} {dict(self.facts)}"


class Refused(ConsoleError):
    """Permanent: tell the person; trying again does not help."""

    code = "console.refused"
    status = 409


class NotAllowed(Refused):
    """The person may not do this; `reason` says why, in a sentence."""

    code = "console.not_allowed"
    status = 403


class BadInput(Refused):
    """What was typed or sent cannot be used; `field` names where, `found` and `expected` say what."""

    code = "console.bad_input"
    status = 422


class Unavailable(ConsoleError):
    """Passing: the same call may succeed later; tasks try again."""

    code = "console.unavailable"
    status = 503
