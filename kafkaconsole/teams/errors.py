"""What can be refused about teams."""

from __future__ import annotations

from kafkaconsole.errors import BadInput, Refused


class BadTeam(BadInput):
    """A team or role that cannot be made of what was given. Facts: field, found, expected."""

    code = "team.bad"


class TeamInUse(Refused):
    """A team that requests belong to stays. Facts: team, requests (how many)."""

    code = "team.in_use"


class NotInTeam(Refused):
    """The person is not in the team. Facts: user, team."""

    code = "team.not_in_team"


class BadDelegation(BadInput):
    """A delegation that cannot be made of what was given. Facts: field, found, expected."""

    code = "delegation.bad"


class DelegationOverlaps(Refused):
    """Somebody else, or the same person, signs for a part of that time already. Facts: to, starts_at, ends_at."""

    code = "delegation.overlaps"


class DelegationOver(Refused):
    """It ended before. Facts: to, at."""

    code = "delegation.over"
