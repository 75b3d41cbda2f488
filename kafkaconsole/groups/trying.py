"""The tester of ownership: which rule wins for a group, and why the others do not."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters.models import Cluster, Right
from kafkaconsole.groups import queries
from kafkaconsole.groups.matching import Kind
from kafkaconsole.groups.models import OwnershipRule
from kafkaconsole.groups.ownership import Finding, Place, Rule
from kafkaconsole.groups.permissions import may
from kafkaconsole.words import Words, counted, words

STRONGER = {
    Kind.NAME: words("an exact name goes before it"),
    Kind.PREFIX: words("a beginning goes before it"),
    Kind.GLOB: words("a pattern with * and ? goes before it"),
}
"""Why a rule of a less exact kind lost, by the kind that decides."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A rule that matches and does not decide, and why."""

    row: OwnershipRule
    why: Words


@dataclass(frozen=True, slots=True)
class Tried:
    """What the rules say of one name: `best` is one row, several that agree, several that tie, or none."""

    cluster: Cluster
    group: str
    is_tie: bool
    best: list[OwnershipRule]
    lost: list[Lost]

    @property
    def rule(self) -> OwnershipRule | None:
        """The rule that decides; None: nobody owns it, or a tie."""
        return self.best[0] if self.best and not self.is_tie else None

    @property
    def why(self) -> str:
        """One sentence about the outcome."""
        if not self.best:
            return words("No rule matches this name.")
        if self.is_tie:
            return words("These rules have the same rank and name different teams, so none of them decides.")
        if not self.lost:
            return words("It is the only rule that matches.")
        return counted("It goes before one other rule.", "It goes before {count} other rules.", len(self.lost))


def who_owns(user: User, cluster: Cluster, group: str) -> Tried:
    """Try a name on a cluster; the group need not be known. Http404 where its owner is not told to the person, with the
    same words whether there is such a group or not."""
    if not may(user, Right.SEE, cluster=cluster, group=group):
        raise Http404(f"Groups of {cluster.environment} are not shown to everyone, nor is who owns them.")
    finding = queries.rule_book(cluster.pk).find(group)
    keys = [rule.key for rule in (*finding.best, *finding.lost)]
    rows = OwnershipRule.objects.select_related("cluster", "environment", "team").in_bulk(keys)
    shown = set(queries.rules_for(user).filter(pk__in=keys).values_list("pk", flat=True))
    lost = [Lost(rows[rule.key], _why_lost(rule, finding)) for rule in finding.lost if rule.key in shown]
    return Tried(cluster, group, finding.is_tie, [rows[rule.key] for rule in finding.best], lost)


def _why_lost(rule: Rule, finding: Finding) -> Words:
    best = finding.best[0]
    if rule.kind is not best.kind:
        return STRONGER[best.kind]
    if rule.exactness != best.exactness:
        return words("the rule that decides fixes more characters")
    if best.place is Place.CLUSTER:
        return words("a rule for this cluster goes before it")
    return words("a rule for this environment goes before it")
