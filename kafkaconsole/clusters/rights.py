"""What roles may do, by environment: the table that administrators change (docs/decisions/0057).

`holds` answers for one environment; `unseen` and `barred` are the same answers as conditions on rows, so that a list, a
count and a single row can never disagree.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters.models import Environment, EnvironmentRight, Holder, Right
from kafkaconsole.teams.models import Membership, Team
from kafkaconsole.teams.policies import role_in

Table = Mapping[tuple[Holder, Right], bool]

APPLICABLE: tuple[tuple[Holder, Right], ...] = (
    (Holder.OUTSIDER, Right.SEE),
    (Holder.MEMBER, Right.SEE),
    (Holder.MEMBER, Right.REQUEST),
    (Holder.MEMBER, Right.READ_MESSAGES),
    *((holder, right) for holder in (Holder.APPROVER, Holder.OWNER) for right in Right),
)
"""What the table has a switch for. The rest is never allowed: outsiders only see, and members do not sign."""


def usual(environment: Environment, right: Right) -> bool:
    """The answer where administrators changed nothing: everything, but for messages in production."""
    if right is Right.READ_MESSAGES:
        return not environment.is_production or environment.may_read_messages
    return True


def table_of(environment: Environment) -> dict[tuple[Holder, Right], bool]:
    """The environment's whole table: one query."""
    said = {(row.holder, row.right): row.is_allowed for row in EnvironmentRight.objects.filter(environment=environment)}
    return {pair: said.get((pair[0].value, pair[1].value), usual(environment, pair[1])) for pair in APPLICABLE}


def holder_of(user: User, team: Team | None) -> Holder:
    """What the person is to the team that owns a group."""
    role = role_in(user, team) if team else None
    return Holder.OUTSIDER if role is None else Holder(role.value)


def holds(holder: Holder, right: Right, environment: Environment) -> bool:
    """Whether the table says yes."""
    return table_of(environment).get((holder, right), False)


def shown_to_team(environment: Environment) -> bool:
    """Whether everyone of the team that owns a group sees it, whatever their role: what a team's channel may be told."""
    table = table_of(environment)
    return all(table[holder, Right.SEE] for holder in (Holder.MEMBER, Holder.APPROVER, Holder.OWNER))


def sees_everything(user: User | AnonymousUser) -> bool:
    """Administrators and auditors answer for the whole."""
    return isinstance(user, User) and user.is_active and (user.is_administrator or user.is_auditor)


def unseen(user: User, *, environment: str = "cluster__environment", team: str = "team") -> Q:
    """A condition on rows that the person may not see; the names are paths to the row's environment and owning team."""
    if sees_everything(user):
        return Q(pk__in=[])
    mine = Membership.objects.filter(user=user)
    outside = Q(**{f"{team}__isnull": True}) | ~Q(**{f"{team}__in": mine.values("team")})
    found = Q(**{f"{environment}__in": _refusing(Holder.OUTSIDER, Right.SEE)}) & outside
    for holder in (Holder.MEMBER, Holder.APPROVER, Holder.OWNER):
        teams = mine.filter(role=holder.value).values("team")
        found |= Q(**{f"{environment}__in": _refusing(holder, Right.SEE), f"{team}__in": teams})
    return found


def barred(role: str, right: Right, *, environment: str = "cluster__environment") -> Q:
    """A condition on rows in whose environment people of this role in a team may not do this (never READ_MESSAGES)."""
    return Q(**{f"{environment}__in": _refusing(Holder(role), right)})


def _refusing(holder: Holder, right: Right) -> object:
    """The environments that say no: only such rows matter, because `usual` says yes to all but messages."""
    rows = EnvironmentRight.objects.filter(holder=holder.value, right=right.value, is_allowed=False)
    return rows.values("environment")
