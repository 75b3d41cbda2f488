"""Names that a refused plan tells because they resemble the one that is missing: the broker lists every group, and whoever
reads the refusal sees some of them."""

from __future__ import annotations

from collections.abc import Callable

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import rights
from kafkaconsole.clusters.models import Cluster, Holder, Right
from kafkaconsole.groups.errors import AmbiguousOwner
from kafkaconsole.groups.permissions import may
from kafkaconsole.groups.queries import rule_book
from kafkaconsole.resets.errors import GroupMissing, SourceGroupMissing
from kafkaconsole.teams.models import Team

Problem = dict[str, object]
NAMING_GROUPS = (GroupMissing.code, SourceGroupMissing.code)


def shown_to_person(problem: Problem, person: User, cluster: Cluster) -> Problem:
    """The problem with the names of groups that the person sees."""
    return _only(problem, lambda name: bool(may(person, Right.SEE, cluster=cluster, group=name)))


def shown_to_team(problem: Problem, team: Team, cluster: Cluster) -> Problem:
    """The problem as whoever may see a request of the team may read it: with all names where the environment shows groups
    to everyone, otherwise with those of the team's own groups, where all of the team see them."""
    table = rights.table_of(cluster.environment)
    if table[Holder.OUTSIDER, Right.SEE]:
        return problem
    if not rights.shown_to_team(cluster.environment):
        return _only(problem, lambda name: False)
    book = rule_book(cluster.pk)

    def is_theirs(name: str) -> bool:
        try:
            rule = book.owner_of(name)
        except AmbiguousOwner:
            return False
        return rule is not None and rule.team_id == team.pk

    return _only(problem, is_theirs)


def _only(problem: Problem, is_shown: Callable[[str], bool]) -> Problem:
    facts = problem.get("facts")
    if problem.get("code") not in NAMING_GROUPS or not isinstance(facts, dict):
        return problem
    near = [name for name in facts.get("near", ()) if is_shown(str(name))]
    return {**problem, "facts": {**facts, "near": near}}
