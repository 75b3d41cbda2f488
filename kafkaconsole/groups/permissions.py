"""The one answer to "may this person do this to that, and if not, why": asked by pages, the API and workers.

It joins who owns the group (rules, ties), what the person is to that team, and what the cluster's environment lets that
role do. What depends on a request besides (its state, its policy, who asked) stands in `resets.policies`.
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import rights
from kafkaconsole.clusters.models import Cluster, Holder, Right
from kafkaconsole.groups import queries
from kafkaconsole.groups.errors import AmbiguousOwner
from kafkaconsole.teams.models import Team
from kafkaconsole.teams.verdicts import ALLOWED, Verdict, denied
from kafkaconsole.words import words


def may(user: User | AnonymousUser, right: Right, *, cluster: Cluster, group: str, team: Team | None = None) -> Verdict:
    """Whether the person may do this to a group (known or not). `team`: the one that a request belongs to, where that
    counts instead of who owns the group now."""
    if not isinstance(user, User) or not user.is_active:
        return denied(words("Sign in first."))
    if right is Right.SEE:
        return _see(user, cluster, team or _owner(cluster, group))
    if right is not Right.READ_MESSAGES and user.is_auditor:
        return denied(words("Auditors read everything and change nothing."))
    try:
        owner = team or queries.owner_of(cluster, group)
    except AmbiguousOwner as error:
        return _tied(group, error)
    if owner is None:
        return _unowned(right, cluster, group)
    return _as(rights.holder_of(user, owner), right, cluster, group, owner)


def _see(user: User, cluster: Cluster, owner: Team | None) -> Verdict:
    if rights.sees_everything(user) or rights.holds(rights.holder_of(user, owner), Right.SEE, cluster.environment):
        return ALLOWED
    return denied(words("Groups of {environment} are not shown to everyone.", environment=cluster.environment))


def _owner(cluster: Cluster, group: str) -> Team | None:
    try:
        return queries.owner_of(cluster, group)
    except AmbiguousOwner:
        return None  # a tie belongs to nobody


def _as(holder: Holder, right: Right, cluster: Cluster, group: str, owner: Team) -> Verdict:
    table = rights.table_of(cluster.environment)
    if holder is Holder.OUTSIDER:
        if right is Right.READ_MESSAGES:
            return denied(words("Only people of the team {team} can read messages of its groups.", team=owner))
        if not table[holder, Right.SEE]:  # who owns what is not told where it is not shown
            return denied(words("No group {group} of yours is on {cluster}.", group=group, cluster=cluster))
        return denied(
            words("{group} belongs to the team {team}; only its people can ask for a reset.", group=group, team=owner)
        )
    if table.get((holder, right), False) and table[holder, Right.SEE]:
        return ALLOWED
    return _switched_off(right, cluster)


def _switched_off(right: Right, cluster: Cluster) -> Verdict:
    environment = cluster.environment
    if right is Right.READ_MESSAGES:
        return denied(
            words(
                "Reading messages is switched off for {environment}. An administrator can switch it on.",
                environment=environment,
            )
        )
    if right is Right.REQUEST:
        sentence = words(
            "Your role in the team may not ask for resets in {environment}. An administrator can change that.",
            environment=environment,
        )
        return denied(sentence)
    return denied(
        words("Your role in the team may not sign in {environment}. An administrator can change that.",
              environment=environment)
    )  # fmt: skip


def _tied(group: str, error: AmbiguousOwner) -> Verdict:
    teams = error.facts.get("teams", ())
    named = ", ".join(map(str, teams)) if isinstance(teams, list | tuple) else ""
    return denied(
        words(
            "Two teams own {group} by rules of the same rank ({teams}). An administrator can mend that.",
            group=group,
            teams=named,
        )
    )


def _unowned(right: Right, cluster: Cluster, group: str) -> Verdict:
    if right is Right.READ_MESSAGES:
        sentence = words(
            "Nobody owns {group} on {cluster}, so nobody can read its messages.", group=group, cluster=cluster
        )
        return denied(sentence)
    return denied(
        words(
            "No team owns {group} on {cluster}. A team can claim it, or an administrator can say which team does.",
            group=group,
            cluster=cluster,
        )
    )
