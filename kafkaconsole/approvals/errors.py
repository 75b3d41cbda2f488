"""What can be refused about policies."""

from __future__ import annotations

from collections.abc import Mapping

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


class ApprovalTooOld(Refused):
    """An earlier approval of the plan is older than its policy lets one be. Facts: by, at, life_s, policy."""

    code = "approval.too_old"

    @classmethod
    def of(cls, trouble: Mapping[str, object]) -> ApprovalTooOld:
        """From the problem that says so. Raises TypeError for one without facts: its sentence would have holes."""
        facts = trouble["facts"]
        if not isinstance(facts, Mapping):
            raise TypeError(f"the facts of an approval that is too old are {facts!r}, expected by, at, life_s, policy")
        return cls(**facts)


class NothingProposed(Refused):
    """There is no version of the policy that waits for a second administrator. Facts: policy."""

    code = "policy.nothing_proposed"


class PolicyMovedOn(Refused):
    """Someone made another version meanwhile. Facts: policy, seen, last (numbers)."""

    code = "policy.moved_on"
