"""Policies as tests need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kafkaconsole.approvals.models import Need, Policy, PolicyVersion
from kafkaconsole.approvals.quorum import Least, Of
from kafkaconsole.approvals.terms import Terms, as_json
from kafkaconsole.teams.models import Membership, Team, TeamRole
from tests.factories import Cast


def own(count: int = 1, least: Least = Least.APPROVER) -> Need:
    """So many of the owning team."""
    return Need(count=count, of=Of.OWN_TEAM, least=least)


def other(count: int = 1) -> Need:
    """So many of another team."""
    return Need(count=count, of=Of.OTHER_TEAM, least=Least.APPROVER)


def of(team: Team, count: int = 1) -> Need:
    """So many of this team."""
    return Need(count=count, of=Of.TEAM, least=Least.APPROVER, team=team)


def make_policy(name: str, *needs: Need, terms: dict[str, Any] | None = None, **fields: Any) -> PolicyVersion:
    """A policy in force; the same name again is its next version."""
    policy, _ = Policy.objects.get_or_create(name=name)
    return next_version(policy, needs, terms=terms or {}, **fields)


def change_builtin(*needs: Need, terms: dict[str, Any] | None = None, **fields: Any) -> PolicyVersion:
    """The next version of the built-in policy."""
    return next_version(Policy.objects.get(is_builtin=True), needs, terms=terms or {}, **fields)


def next_version(policy: Policy, needs: Sequence[Need], *, terms: dict[str, Any], **fields: Any) -> PolicyVersion:
    """The version after the last, put in force."""
    number = policy.versions.count() + 1
    said = as_json(replace(Terms(), **terms))
    version = PolicyVersion.objects.create(policy=policy, number=number, terms=said, **fields)
    for need in needs:
        need.version = version
        need.save()
    Policy.objects.filter(pk=policy.pk).update(current=version)
    return version


def make_operations(cast: Cast) -> Team:
    """Team Operations, for which Carol signs."""
    team = Team.objects.create(slug="operations", name="Operations")
    Membership.objects.create(team=team, user=cast.carol, role=TeamRole.APPROVER)
    return team


def make_search_approver(cast: Cast) -> None:
    """Dave signs for team Search."""
    Membership.objects.filter(user=cast.dave, team=cast.search).update(role=TeamRole.APPROVER)
