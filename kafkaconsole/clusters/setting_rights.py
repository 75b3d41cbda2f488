"""Changing an environment's table of rights: permission, change and record in one transaction."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.clusters import policies, rights
from kafkaconsole.clusters.errors import BadRights, RightsMovedOn
from kafkaconsole.clusters.models import Environment, EnvironmentRight, Holder, Right


def fingerprint(table: rights.Table) -> str:
    """The table as short text, to tell whether it is still the one that somebody looked at."""
    return "".join("1" if table[pair] else "0" for pair in rights.APPLICABLE)


@transaction.atomic
def set_rights(*, by: User, environment: Environment, seen: str, wanted: Mapping[tuple[Holder, Right], bool]) -> int:
    """Put the whole table of an environment in force; answers how many of its answers changed.

    `seen` is the fingerprint of the table that the person changed. Raises RightsMovedOn, BadRights, NotAllowed.
    """
    policies.may_set_rights(by).require()
    row = Environment.objects.select_for_update().get(pk=environment.pk)
    before = rights.table_of(row)
    if seen != fingerprint(before):
        raise RightsMovedOn(environment=row.name)
    _check(row, wanted)
    changed = {pair: wanted[pair] for pair in rights.APPLICABLE if wanted[pair] != before[pair]}
    for (holder, right), is_allowed in changed.items():
        EnvironmentRight.objects.update_or_create(
            environment=row, holder=holder.value, right=right.value, defaults={"is_allowed": is_allowed}
        )
    if changed:
        told = {f"{holder.value}.{right.value}": [not now, now] for (holder, right), now in changed.items()}
        audit.record("rights.changed", actor=by, target=row, facts={"environment": row.slug, "changed": told})
    return len(changed)


def _check(environment: Environment, wanted: Mapping[tuple[Holder, Right], bool]) -> None:
    missing = [f"{holder.value}.{right.value}" for holder, right in rights.APPLICABLE if (holder, right) not in wanted]
    unknown = [f"{holder.value}.{right.value}" for holder, right in wanted if (holder, right) not in rights.APPLICABLE]
    if missing or unknown:
        raise BadRights(environment=environment.name, found=", ".join(missing + unknown))
    for (holder, right), is_allowed in wanted.items():
        if is_allowed and not wanted[holder, Right.SEE]:
            raise BadRights(environment=environment.name, found=f"{holder.value}.{right.value}")
