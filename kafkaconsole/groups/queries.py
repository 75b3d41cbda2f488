"""Reads of groups, always for a person, and of who owns them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q, QuerySet
from django.db.models.expressions import OrderBy
from django.http import Http404

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import rights
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.queries import clusters_for
from kafkaconsole.groups.matching import Kind
from kafkaconsole.groups.models import ConsumerGroup, OwnershipRule
from kafkaconsole.groups.ownership import Finding, Place, Rule, RuleBook
from kafkaconsole.kafka.values import GroupState
from kafkaconsole.teams.models import Team

NEAR_NAMES = 5
MOST_TIES = 200
NO_TEAM = "none"  # the filter's word for "groups that nobody owns"

SORTS: Mapping[str, tuple[str | OrderBy, ...]] = {
    "name": ("name", "pk"),
    "-name": ("-name", "-pk"),
    "lag": (F("lag").asc(nulls_last=True), "name", "pk"),
    "-lag": (F("lag").desc(nulls_last=True), "name", "pk"),
    "time_lag": (F("time_lag_s").asc(nulls_last=True), "name", "pk"),
    "-time_lag": (F("time_lag_s").desc(nulls_last=True), "name", "pk"),
    "state": ("state", "name", "pk"),
    "-state": ("-state", "name", "pk"),
    "team": (F("team__name").asc(nulls_last=True), "name", "pk"),
    "-team": (F("team__name").desc(nulls_last=True), "name", "pk"),
    "partitions": (F("partitions_count").asc(nulls_last=True), "name", "pk"),
    "-partitions": (F("partitions_count").desc(nulls_last=True), "name", "pk"),
    "measured": (F("measured_at").asc(nulls_last=True), "name", "pk"),
    "-measured": (F("measured_at").desc(nulls_last=True), "name", "pk"),
}


@dataclass(frozen=True, slots=True)
class Tie:
    """A known group that rules of one rank give to different teams."""

    cluster: Cluster
    finding: Finding


def groups_for(
    user: User | AnonymousUser,
    cluster: Cluster | None = None,
    *,
    search: str = "",
    state: str = "",
    team: str = "",
    type: str = "",
    sort: str = "name",
) -> QuerySet[ConsumerGroup]:
    """Groups that the person may see, with cluster and team joined: one query, whatever the number of groups.

    `search` is part of the name in any case; `team` is a slug, or "none"; `sort` is a key of SORTS (unknown values
    last in both directions), any other word sorts by name. Groups proven missing are shown only when `state` asks.
    """
    found = _seen_by(user)
    if cluster is not None:
        found = found.filter(cluster=cluster)
    if search:
        found = found.filter(name__icontains=search)
    if type:
        found = found.filter(type=type)
    found = found.filter(state=state) if state else found.exclude(state=GroupState.MISSING)
    if team:
        found = found.filter(team__isnull=True) if team == NO_TEAM else found.filter(team__slug=team)
    return found.order_by(*SORTS.get(sort, SORTS["name"]))


def group_for(user: User | AnonymousUser, cluster: Cluster, name: str) -> ConsumerGroup:
    """One group by its exact name; Http404 when it was never seen or the person may not see it."""
    group = _seen_by(user).filter(cluster=cluster, name=name).first()
    if group is None:
        raise Http404(f"no group {name!r} was seen on {cluster.name}")
    return group


def owner_of(cluster: Cluster, group_name: str) -> Team | None:
    """The team that owns a group of that name, seen or not; None when no rule matches. Raises AmbiguousOwner."""
    rule = rule_book(cluster.pk).owner_of(group_name)
    return Team.objects.get(pk=rule.team_id) if rule else None


def rule_book(cluster_pk: int) -> RuleBook:
    """The rules that count on a cluster, ready to decide for many groups: one query."""
    here = Q(cluster_id=cluster_pk) | Q(environment__clusters=cluster_pk)
    rows = OwnershipRule.objects.filter(here | Q(cluster__isnull=True, environment__isnull=True))
    return RuleBook(rule_of(row) for row in rows.select_related("team"))


def rule_of(row: OwnershipRule) -> Rule:
    """A row as the rules of matching take it."""
    place = Place.CLUSTER if row.cluster_id else Place.ENVIRONMENT if row.environment_id else Place.EVERYWHERE
    return Rule(Kind(row.kind), row.pattern, place, row.team_id, row.team.slug, row.pk)


def rules_for(user: User | AnonymousUser) -> QuerySet[OwnershipRule]:
    """Ownership rules of the clusters that the person sees, of environments, and those for everywhere; where an
    environment does not show groups to what they are to the rule's team, its rules are not shown either."""
    if not isinstance(user, User) or not user.is_authenticated:
        return OwnershipRule.objects.none()
    theirs = Q(cluster__in=clusters_for(user)) | Q(cluster__isnull=True)
    hidden = Q(cluster__isnull=False) & rights.unseen(user)
    hidden |= Q(environment__isnull=False) & rights.unseen(user, environment="environment")
    hidden |= Q(cluster__isnull=True, environment__isnull=True, pattern__in=hidden_names(user))
    found = OwnershipRule.objects.filter(theirs).exclude(hidden)
    return found.select_related("cluster", "environment", "team")


def hidden_names(user: User) -> QuerySet[ConsumerGroup, str]:
    """Names of groups of which none is shown to the person: what names one is not shown either."""
    unseen = ConsumerGroup.objects.filter(rights.unseen(user)).exclude(name__in=_seen_by(user).values("name"))
    return unseen.order_by().values_list("name", flat=True)


def ties_for(user: User, most: int = MOST_TIES) -> list[Tie]:
    """Known groups that rules of one rank give to different teams, at most so many: for administrators alone."""
    if not user.is_administrator:
        return []
    found = (tie for cluster in clusters_for(user) for tie in _ties_on(cluster))
    return list(islice(found, most))


def _ties_on(cluster: Cluster) -> Iterator[Tie]:
    book = rule_book(cluster.pk)
    # A tie belongs to nobody, so groups that have an owner need no look.
    names = ConsumerGroup.objects.filter(cluster=cluster, team__isnull=True).exclude(state=GroupState.MISSING)
    for name in names.order_by("name").values_list("name", flat=True):
        finding = book.find(name)
        if finding.is_tie:
            yield Tie(cluster, finding)


def near_names(user: User | AnonymousUser, cluster: Cluster, name: str) -> list[str]:
    """At most five names of groups on the cluster, of those that the person may see, that resemble `name`, the nearest
    first; never the name itself."""
    known = [one for one in groups_for(user, cluster).values_list("name", flat=True) if one != name]
    wanted = name.casefold()
    by_folded = {one.casefold(): one for one in known}
    starting = [one for folded, one in by_folded.items() if wanted and folded.startswith(wanted)]
    close = [by_folded[one] for one in difflib.get_close_matches(wanted, by_folded, n=NEAR_NAMES, cutoff=0.7)]
    return list(dict.fromkeys([*close, *sorted(starting)]))[:NEAR_NAMES]


def _seen_by(user: User | AnonymousUser) -> QuerySet[ConsumerGroup]:
    """The groups of the clusters that the person sees, where the environment shows them to their role."""
    found = ConsumerGroup.objects.filter(cluster__in=clusters_for(user)).select_related("cluster__environment", "team")
    return found.exclude(rights.unseen(user)) if isinstance(user, User) else found.none()
