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
