"""Roles by the group claims of the sign-in provider: given at a sign-in, and taken away when the claim is gone.

What was given by hand stays: a role is this module's to take only while its row (`ProviderRole`) says so and nobody has
changed it since (docs/decisions/0063).
"""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.db import transaction

from kafkaconsole.accounts import signals
from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.audit import actions as audit
from kafkaconsole.teams.models import Membership, ProviderRole, Team, TeamRole

Change = tuple[str, list[str | None]]
"""Where, and the role before and after."""
logger = logging.getLogger(__name__)
RANKS = [*TeamRole.values, GlobalRole.AUDITOR.value, GlobalRole.ADMINISTRATOR.value]
"""Where two groups give different roles in one place, the later one of these is given."""


def connect() -> None:
    """Called once, when the apps are ready."""
    signals.signed_in_by_provider.connect(_signed_in, dispatch_uid="teams.signed_in_by_provider")


def _signed_in(*, person: User, groups: frozenset[str], **_: Any) -> None:
    apply(person, groups)


@transaction.atomic
def apply(person: User, groups: frozenset[str]) -> None:
    """Bring the roles that claims gave up to these groups; one event tells what changed, if anything did."""
    row = User.objects.select_for_update().get(pk=person.pk)
    wanted = _wanted(groups)
    told: list[Change | None] = [_everywhere(row, wanted.pop(None, None))]
    given = {one.team.pk: one for one in row.provider_roles.select_related("team") if one.team}
    teams = {one.pk: one for one in Team.objects.filter(slug__in=[slug for slug in wanted if slug])}
    for slug in sorted({str(slug) for slug in wanted} - {one.slug for one in teams.values()}):
        logger.warning("OIDC_ROLES names a team that is not there", extra={"team": slug})
    teams |= {one.team.pk: one.team for one in given.values() if one.team}
    told += [_in_team(row, team, wanted.get(team.slug), given.get(pk)) for pk, team in sorted(teams.items())]
    changed = {place: change for place, change in filter(None, told)}
    if changed:
        audit.record("person.claims_applied", actor=None, target=row, facts={"user": row.username, "changed": changed})
    person.role = row.role


def _wanted(groups: frozenset[str]) -> dict[str | None, str]:
    """The highest role for each team's slug; None: everywhere."""
    found: dict[str | None, str] = {}
    for group, given in settings.OIDC_ROLES:
        if group in groups:
            slug, _, role = given.rpartition(":")
            before = found.get(slug or None, role)
            found[slug or None] = max(before, role, key=RANKS.index)
    return found


def _everywhere(row: User, role: str | None) -> Change | None:
    given = ProviderRole.objects.filter(user=row, team=None).first()
    before = row.role
    is_by_hand = before != (given.role if given else GlobalRole.MEMBER)
    after = GlobalRole(role) if role else GlobalRole.MEMBER
    if is_by_hand or before == after:
        if is_by_hand and given:
            given.delete()
        return None
    if before == GlobalRole.ADMINISTRATOR and not _another_administrator(row):
        return "everywhere", [before, before, "kept: the last administrator"]
    _keep(row, None, role)
    row.role = after
    row.save(update_fields=["role"])
    return "everywhere", [before, after]


def _another_administrator(row: User) -> bool:
    others = User.objects.filter(role=GlobalRole.ADMINISTRATOR, is_active=True).exclude(pk=row.pk)
    return others.exists()


def _in_team(row: User, team: Team, role: str | None, given: ProviderRole | None) -> Change | None:
    membership = Membership.objects.filter(user=row, team=team).first()
    before = membership.role if membership else None
    is_by_hand = before is not None and (given is None or given.role != before)
    if is_by_hand or before == role:
        if given and before != given.role:
            given.delete()
        return None
    _keep(row, team, role)
    if role is None and membership:
        membership.delete()
    elif role is not None:
        Membership.objects.update_or_create(user=row, team=team, defaults={"role": role})
    return team.slug, [before, role]


def _keep(row: User, team: Team | None, role: str | None) -> None:
    if role is None:
        ProviderRole.objects.filter(user=row, team=team).delete()
    else:
        ProviderRole.objects.update_or_create(user=row, team=team, defaults={"role": role})
