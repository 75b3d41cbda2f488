"""Saying which team owns which groups: permission, change and record in one transaction."""

from __future__ import annotations

from collections import defaultdict

from django.db import transaction

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.groups import policies, queries
from kafkaconsole.groups.errors import AmbiguousOwner, BadOwnership, OwnershipGone, OwnershipTaken
from kafkaconsole.groups.models import ConsumerGroup, OwnershipKind, OwnershipRule
from kafkaconsole.teams.models import Team
from kafkaconsole.words import words

LONGEST_PATTERN = 249
UPDATE_SIZE = 500


@transaction.atomic
def add_ownership(*, by: User, cluster: Cluster | None, kind: str, pattern: str, team: Team) -> OwnershipRule:
    """Give the groups that match to a team, on one cluster or (None) on all; raises OwnershipTaken, BadOwnership."""
    policies.may_set_ownership(by).require()
    _check(kind, pattern)
    taken = OwnershipRule.objects.filter(cluster=cluster, kind=kind, pattern=pattern).select_related("team").first()
    if taken is not None:
        raise OwnershipTaken(
            pattern=pattern, kind=kind, cluster=cluster.name if cluster else None, team=taken.team.slug
        )
    rule = OwnershipRule.objects.create(cluster=cluster, kind=kind, pattern=pattern, team=team)
    changed = reassign(cluster)
    audit.record("ownership.added", actor=by, target=rule, facts=_facts(rule, changed))
    return rule


@transaction.atomic
def remove_ownership(*, by: User, cluster: Cluster | None, kind: str, pattern: str) -> None:
    """Take a rule away; groups fall to the next rule that matches, or to nobody. Raises OwnershipGone."""
    policies.may_set_ownership(by).require()
    rule = OwnershipRule.objects.filter(cluster=cluster, kind=kind, pattern=pattern).select_related("team").first()
    if rule is None:
        raise OwnershipGone(pattern=pattern, kind=kind, cluster=cluster.name if cluster else None)
    facts, pk = _facts(rule, 0), rule.pk
    rule.delete()
    rule.pk = pk  # the audit names the row that was
    audit.record("ownership.removed", actor=by, target=rule, facts=facts | {"groups": reassign(cluster)})


def reassign(cluster: Cluster | None) -> int:
    """Write anew which team owns each group of a cluster, or of all; answers how many groups changed hands."""
    clusters = [cluster.pk] if cluster else list(Cluster.objects.values_list("pk", flat=True))
    return sum(_reassign_one(pk) for pk in clusters)


def _reassign_one(cluster_pk: int) -> int:
    book = queries.rule_book(cluster_pk)
    moves: dict[int | None, list[int]] = defaultdict(list)
    for pk, name, team_id in ConsumerGroup.objects.filter(cluster_id=cluster_pk).values_list("pk", "name", "team_id"):
        try:
            rule = book.owner_of(name)
        except AmbiguousOwner:
            rule = None  # a tie belongs to nobody until it is resolved
        owner = rule.team_id if rule else None
        if owner != team_id:
            moves[owner].append(pk)
    for owner, pks in moves.items():
        for at in range(0, len(pks), UPDATE_SIZE):
            ConsumerGroup.objects.filter(pk__in=pks[at : at + UPDATE_SIZE]).update(team_id=owner)
    return sum(map(len, moves.values()))


def _check(kind: str, pattern: str) -> None:
    if kind not in OwnershipKind.values:
        raise BadOwnership(
            field="kind", found=kind, expected=words("one of {names}", names=", ".join(OwnershipKind.values))
        )
    if not pattern or len(pattern) > LONGEST_PATTERN or "\0" in pattern:
        expected = words("1 to {most} characters, none of them NUL", most=LONGEST_PATTERN)
        raise BadOwnership(field="pattern", found=pattern, expected=expected)


def _facts(rule: OwnershipRule, changed: int) -> dict[str, object]:
    return {
        "cluster": rule.cluster.name if rule.cluster else None,
        "kind": rule.kind,
        "pattern": rule.pattern,
        "team": rule.team.slug,
        "groups": changed,
    }
