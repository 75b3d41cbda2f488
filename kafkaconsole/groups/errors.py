"""What can be wrong with ownership. Sentences are found by code in `messages`."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, Refused


class AmbiguousOwner(Refused):
    """Rules of the same rank give a group to different teams. Facts: group, patterns (kind and text), teams (slugs)."""

    code = "group.ambiguous_owner"


class BadOwnership(BadInput):
    """A rule that cannot be made of what was given. Facts: field, found, expected."""

    code = "ownership.bad_rule"


class OwnershipTaken(Refused):
    """There is a rule for this very pattern already. Facts: pattern, kind, cluster, environment, team (slug)."""

    code = "ownership.taken"


class OwnershipGone(Refused):
    """There is no such rule (any more). Facts: pattern, kind, cluster, environment."""

    code = "ownership.gone"


class BadClaim(BadInput):
    """A claim, or an answer to one, that cannot be made of what was given. Facts: field, found, expected."""

    code = "claim.bad"


class ClaimTaken(Refused):
    """The team claims that group already. Facts: group, cluster, team."""

    code = "claim.taken"


class ClaimClosed(Refused):
    """Somebody answered the claim, or withdrew it, before. Facts: group, state (in words), by."""

    code = "claim.closed"


class OwnedMeanwhile(Refused):
    """A rule gives the group to a team by now. Facts: group, cluster, team."""

    code = "claim.owned"
