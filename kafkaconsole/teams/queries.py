"""Reads of teams."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import Http404

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.teams.models import Delegation, Membership, Team, TeamRole


def teams_of(user: User) -> QuerySet[Team]:
    """Teams that the person is in."""
    return Team.objects.filter(memberships__user=user)


def teams_signed_by(user: User) -> QuerySet[Team]:
    """Teams for which the person may approve."""
    return Team.objects.filter(memberships__user=user, memberships__role__in=(TeamRole.APPROVER, TeamRole.OWNER))


def teams_for(user: User) -> QuerySet[Team]:
    """All teams with the number of their people (`people_count`): who owns what is no secret inside."""
    return Team.objects.annotate(people_count=Count("memberships"))


def team_for(user: User, slug: str) -> Team:
    """One team, or Http404."""
    team = Team.objects.filter(slug=slug).first()
    if team is None:
        raise Http404(f"There is no team {slug!r}.")
    return team


def memberships_of(team: Team) -> QuerySet[Membership]:
    """The people of a team, by name."""
    return team.memberships.select_related("user").order_by("user__username")


def approvers_of(team: Team) -> QuerySet[User]:
    """People who may sign for the team."""
    return User.objects.filter(
        is_active=True, memberships__team=team, memberships__role__in=(TeamRole.APPROVER, TeamRole.OWNER)
    ).order_by("username")


def delegations(now: datetime) -> QuerySet[Delegation]:
    """Those that are in force at this instant, of people who may still sign in."""
    found = Delegation.objects.filter(starts_at__lte=now, ends_at__gt=now, ended_at=None, by__is_active=True)
    return found.select_related("by", "to", "team")


def lent_to(user: User, now: datetime) -> QuerySet[Membership]:
    """The memberships of others by which the person may sign for them at this instant, with the roles as they are now."""
    given = delegations(now).filter(Q(team=None) | Q(team=OuterRef("team")), by=OuterRef("user"), to=user)
    roles = (TeamRole.APPROVER, TeamRole.OWNER)
    return Membership.objects.filter(Exists(given), role__in=roles).exclude(user__role=GlobalRole.AUDITOR)


def deputies(held: QuerySet[Membership], now: datetime) -> QuerySet[User]:
    """Who may sign at this instant for the people of these memberships."""
    theirs = held.filter(user=OuterRef("by"))
    given = delegations(now).filter(Exists(theirs.filter(team=OuterRef("team"))) | Q(Exists(theirs), team=None))
    return User.objects.filter(pk__in=given.values("to"), is_active=True, is_service=False)


def delegations_for(user: User) -> QuerySet[Delegation]:
    """Those that the person gave or was given; all for administrators and auditors."""
    found = Delegation.objects.select_related("by", "to", "team")
    if user.is_administrator or user.is_auditor:
        return found
    return found.filter(Q(by=user) | Q(to=user))


def delegation_for(user: User, pk: int) -> Delegation:
    """One of them, or Http404."""
    row = delegations_for(user).filter(pk=pk).first()
    if row is None:
        raise Http404(f"There is no delegation {pk} that you may see.")
    return row


def away_from(team: Team, now: datetime) -> list[Delegation]:
    """Whose signature another gives for the team, now or later."""
    held = Membership.objects.filter(team=team, user=OuterRef("by"), role__in=(TeamRole.APPROVER, TeamRole.OWNER))
    found = Delegation.objects.filter(Q(team=None) | Q(team=team), Exists(held), ends_at__gt=now, ended_at=None)
    return list(found.filter(by__is_active=True).select_related("by", "to", "team"))
