"""Setting up teams: permission, change and record in one transaction."""

from __future__ import annotations

import re

from django.db import transaction
from django.db.models import ProtectedError

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.teams import policies
from kafkaconsole.teams.errors import BadTeam, NotInTeam, TeamInUse
from kafkaconsole.teams.models import Membership, Team, TeamRole
from kafkaconsole.words import words

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,49}")


@transaction.atomic
def add(*, by: User, slug: str, name: str) -> Team:
    """A new team without people. Raises BadTeam for a name or slug that is taken or cannot be used."""
    policies.may_add_teams(by).require()
    name = name.strip()
    if not SLUG.fullmatch(slug):
        raise BadTeam(field="slug", found=slug, expected=words("small letters, digits and hyphens, at most 50"))
    if not 1 <= len(name) <= 80:
        raise BadTeam(field="name", found=name, expected=words("1 to 80 characters"))
    for field, value in (("slug", slug), ("name", name)):
        if Team.objects.filter(**{field: value}).exists():
            raise BadTeam(field=field, found=value, expected=words("a {field} that no other team has", field=field))
    team = Team.objects.create(slug=slug, name=name)
    audit.record("team.added", actor=by, target=team, facts={"slug": slug})
    return team


@transaction.atomic
def remove(*, by: User, team: Team) -> None:
    """Remove a team that nothing belongs to. Raises TeamInUse."""
    policies.may_add_teams(by).require()
    pk = team.pk
    try:
        with transaction.atomic():
            team.delete()
    except ProtectedError as error:
        raise TeamInUse(team=team.name, requests=len(error.protected_objects)) from error
    team.pk = pk  # the audit names the row that was
    audit.record("team.removed", actor=by, target=team, facts={"slug": team.slug})


@transaction.atomic
def set_role(*, by: User, team: Team, user: User, role: str) -> Membership:
    """Put a person into the team, or give them another role there. The same role again changes nothing."""
    policies.may_change(by, team).require()
    if role not in TeamRole.values:
        raise BadTeam(field="role", found=role, expected=words("one of {names}", names=", ".join(TeamRole.values)))
    if user.is_service and role != TeamRole.MEMBER:
        expected = words("member: a service account signs nothing and answers for no team")
        raise BadTeam(field="role", found=role, expected=expected)
    membership, is_new = Membership.objects.select_for_update().get_or_create(
        team=team, user=user, defaults={"role": role}
    )
    if not is_new and membership.role == role:
        return membership
    before = None if is_new else membership.role
    membership.role = role
    membership.save(update_fields=["role"])
    facts = {"user": user.username, "before": before, "role": role}
    audit.record("team.role_set", actor=by, target=team, facts=facts)
    return membership


@transaction.atomic
def remove_member(*, by: User, team: Team, user: User) -> None:
    """Take a person out of the team. Raises NotInTeam."""
    policies.may_change(by, team).require()
    deleted, _ = Membership.objects.filter(team=team, user=user).delete()
    if not deleted:
        raise NotInTeam(user=user.username, team=team.name)
    audit.record("team.member_removed", actor=by, target=team, facts={"user": user.username})
