"""What can be refused about policies."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, Refused


class BadPolicy(BadInput):
    """A policy that cannot be made of what was given. Facts: field, found, expected."""

    code = "policy.bad"


class AmbiguousPolicy(Refused):
    """Several policies apply and none of them is the most exact. Facts: policies (their names)."""

    code = "policy.ambiguous"


class NoPolicy(Refused):
    """No policy applies, not even the built-in one. Facts: none."""

    code = "policy.none"
