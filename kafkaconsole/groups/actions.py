"""Saying which team owns which groups: permission, change and record in one transaction."""

from __future__ import annotations

from collections import defaultdict

from django.db import transaction

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.groups import policies, queries
from kafkaconsole.groups.errors import AmbiguousOwner, BadOwnership, OwnershipGone, OwnershipTaken
from kafkaconsole.groups.matching import Kind, check
from kafkaconsole.groups.models import ConsumerGroup, OwnershipKind, OwnershipRule
from kafkaconsole.teams.models import Team
from kafkaconsole.words import words

UPDATE_SIZE = 500


@transaction.atomic
def add_ownership(
    *, by: User, cluster: Cluster | None, kind: str, pattern: str, team: Team, environment: Environment | None = None
) -> OwnershipRule:
    """Give the groups that match to a team, on one cluster, in one environment, or (both None) everywhere.

    Raises OwnershipTaken, BadOwnership.
    """
    policies.may_set_ownership(by).require()
    _check(kind, pattern, cluster, environment)
    hold(cluster, environment)
    place = {"cluster": cluster, "environment": environment}
    taken = OwnershipRule.objects.filter(**place, kind=kind, pattern=pattern).select_related("team").first()
    if taken is not None:
        raise OwnershipTaken(**_named(kind, pattern, cluster, environment), team=taken.team.slug)
    return give(by=by, cluster=cluster, environment=environment, kind=kind, pattern=pattern, team=team)


def give(
    *, by: User, cluster: Cluster | None, environment: Environment | None, kind: str, pattern: str, team: Team
) -> OwnershipRule:
    """The rule's row, its groups' new owners and the record, in the caller's transaction, for those who asked whether
    it may be."""
    rule = OwnershipRule.objects.create(cluster=cluster, environment=environment, kind=kind, pattern=pattern, team=team)
    changed = reassign(cluster, environment)
    audit.record("ownership.added", actor=by, target=rule, facts=_facts(rule, changed))
    return rule


@transaction.atomic
def remove_ownership(
    *, by: User, cluster: Cluster | None, kind: str, pattern: str, environment: Environment | None = None
) -> None:
    """Take a rule away; groups fall to the next rule that matches, or to nobody. Raises OwnershipGone."""
    policies.may_set_ownership(by).require()
    place = {"cluster": cluster, "environment": environment}
    rule = OwnershipRule.objects.filter(**place, kind=kind, pattern=pattern).select_related("team").first()
    if rule is None:
        raise OwnershipGone(**_named(kind, pattern, cluster, environment))
    facts, pk = _facts(rule, 0), rule.pk
    rule.delete()
    rule.pk = pk  # the audit names the row that was
    changed = reassign(cluster, environment)
    audit.record("ownership.removed", actor=by, target=rule, facts=facts | {"groups": changed})


def hold(cluster: Cluster | None, environment: Environment | None = None) -> None:
    """Let whoever changes who owns what on these clusters do so one after the other, until the transaction ends."""
    found = Cluster.objects.filter(environment=environment) if environment else Cluster.objects.all()
    rows = found.filter(pk=cluster.pk) if cluster else found
    list(rows.order_by("pk").select_for_update().values_list("pk", flat=True))


def reassign(cluster: Cluster | None, environment: Environment | None = None) -> int:
    """Write anew which team owns each group of a cluster, of an environment, or of all; answers how many changed hands."""
    found = Cluster.objects.filter(environment=environment) if environment else Cluster.objects.all()
    clusters = [cluster.pk] if cluster else list(found.values_list("pk", flat=True))
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


def _check(kind: str, pattern: str, cluster: Cluster | None, environment: Environment | None) -> None:
    if kind not in OwnershipKind.values:
        raise BadOwnership(
            field="kind", found=kind, expected=words("one of {names}", names=", ".join(OwnershipKind.values))
        )
    if cluster is not None and environment is not None:
        raise BadOwnership(
            field="environment", found=environment.slug, expected=words("a cluster or an environment, not both")
        )
    check(Kind(kind), pattern)


def _named(kind: str, pattern: str, cluster: Cluster | None, environment: Environment | None) -> dict[str, object]:
    return {
        "cluster": cluster.name if cluster else None,
        "environment": environment.slug if environment else None,
        "kind": kind,
        "pattern": pattern,
    }


def _facts(rule: OwnershipRule, changed: int) -> dict[str, object]:
    named = _named(rule.kind, rule.pattern, rule.cluster, rule.environment)
    return named | {"team": rule.team.slug, "groups": changed}
