"""Reads of teams."""

from __future__ import annotations

from django.db.models import Count, QuerySet
from django.http import Http404

from kafkaconsole.accounts.models import User
from kafkaconsole.teams.models import Membership, Team, TeamRole


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
