"""Who belongs to a team, and who may change it."""

from __future__ import annotations

from kafkaconsole.accounts.models import User
from kafkaconsole.teams.models import Delegation, Membership, Team, TeamRole
from kafkaconsole.teams.verdicts import ALLOWED, Verdict, denied
from kafkaconsole.words import words

SIGNING_ROLES = (TeamRole.APPROVER, TeamRole.OWNER)


def role_in(user: User, team: Team) -> TeamRole | None:
    """The person's role in the team, None when they are not in it."""
    role = Membership.objects.filter(team=team, user=user).values_list("role", flat=True).first()
    return None if role is None else TeamRole(role)


def is_member(user: User, team: Team) -> bool:
    """In the team, in whatever role."""
    return role_in(user, team) is not None


def is_approver(user: User, team: Team) -> bool:
    """May sign for the team: approvers and owners."""
    return role_in(user, team) in SIGNING_ROLES


def is_owner(user: User, team: Team) -> bool:
    """Answers for the team and its members."""
    return role_in(user, team) == TeamRole.OWNER


def may_add_teams(user: User) -> Verdict:
    """Administrators only."""
    return (
        ALLOWED
        if user.is_active and user.is_administrator
        else denied(words("Only an administrator can add or remove teams."))
    )


def may_change(user: User, team: Team) -> Verdict:
    """Administrators, and the team's owners."""
    if user.is_active and (user.is_administrator or is_owner(user, team)):
        return ALLOWED
    return denied(words("Only an owner of {team} or an administrator can change the team.", team=team))


def may_delegate(user: User, team: Team | None = None) -> Verdict:
    """Whoever may sign for the team, or for any."""
    mine = Membership.objects.filter(user=user, role__in=SIGNING_ROLES)
    if user.is_active and not user.is_auditor and (mine.filter(team=team) if team else mine).exists():
        return ALLOWED
    if team is not None:
        return denied(words("You sign nothing for {team}, so nobody can sign there for you.", team=team))
    return denied(words("You sign for no team, so nobody needs to sign for you."))


def may_end(user: User, delegation: Delegation) -> Verdict:
    """Whoever gave it, and administrators."""
    if user.is_active and (user.pk == delegation.by_id or user.is_administrator):
        return ALLOWED
    return denied(words("Only {person} or an administrator can end this.", person=delegation.by))
