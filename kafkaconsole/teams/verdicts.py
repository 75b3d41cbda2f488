"""The answer of a policy: allowed, or denied with the reason that the page shows."""

from __future__ import annotations

from dataclasses import dataclass

from kafkaconsole.errors import NotAllowed


@dataclass(frozen=True, slots=True)
class Verdict:
    """`allowed`, and otherwise a reason in one sentence: who could do it, or what has to change first."""

    allowed: bool
    reason: str = ""

    def __bool__(self) -> bool:
        return self.allowed

    def require(self) -> None:
        """Raise NotAllowed with the reason unless allowed."""
        if not self.allowed:
            raise NotAllowed(reason=self.reason)


ALLOWED = Verdict(True)


def denied(reason: str) -> Verdict:
    """A denial with its reason."""
    return Verdict(False, reason)
