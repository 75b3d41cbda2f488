"""May this person claim a group for a team, answer a claim, withdraw it?"""

from __future__ import annotations

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters.models import Cluster, Right
from kafkaconsole.groups import queries
from kafkaconsole.groups.errors import AmbiguousOwner
from kafkaconsole.groups.models import Claim
from kafkaconsole.groups.permissions import may
from kafkaconsole.teams import policies as teams
from kafkaconsole.teams.models import Team
from kafkaconsole.teams.queries import teams_of, teams_signed_by
from kafkaconsole.teams.verdicts import ALLOWED, Verdict, denied
from kafkaconsole.words import words


def may_claim_somewhere(user: User) -> Verdict:
    """Whether there can be any group that the person may claim: people of a team, auditors not."""
    if user.is_auditor:
        return denied(words("Auditors read everything and change nothing."))
    if not (user.is_active and teams_of(user).exists()):
        return denied(words("You are in no team; only a team’s people can claim a group for it."))
    return ALLOWED


def may_claim(user: User, cluster: Cluster, group: str) -> Verdict:
    """People of any team, while nobody owns the group and its environment shows such groups to everyone."""
    verdict = may_claim_somewhere(user)
    if not verdict:
        return verdict
    try:
        owner = queries.owner_of(cluster, group)
    except AmbiguousOwner:
        sentence = words("Rules of one rank give {group} to two teams. An administrator has to mend that.", group=group)
        return denied(sentence) if may(user, Right.SEE, cluster=cluster, group=group) else _hidden(cluster)
    if not may(user, Right.SEE, cluster=cluster, group=group):
        return _hidden(cluster)
    if owner is not None:
        return denied(words("{group} belongs to the team {team} already.", group=group, team=owner))
    return ALLOWED


def may_claim_for(user: User, team: Team) -> Verdict:
    """Only for a team that the person is in."""
    if teams.is_member(user, team):
        return ALLOWED
    return denied(words("You are not in {team}; a group is claimed by a team’s own people.", team=team))


def may_answer(user: User, claim: Claim) -> Verdict:
    """An administrator, or an approver or owner of another team; never whoever claimed it, nor an auditor."""
    if user.is_auditor:
        return denied(words("Auditors read everything and change nothing."))
    if user.is_service:
        return denied(words("Claims are answered by people, not by service accounts."))
    if not user.is_active or user.pk == claim.claimed_by_id:
        return denied(words("You claimed it, so somebody else has to answer."))
    if user.is_administrator:
        return ALLOWED
    if teams.is_member(user, claim.team):
        return denied(
            words("You are in {team}; an approver of another team or an administrator answers.", team=claim.team)
        )
    if teams_signed_by(user).exists():
        return ALLOWED
    return denied(words("Only an approver of another team or an administrator can answer a claim."))


def may_withdraw(user: User, claim: Claim) -> Verdict:
    """Whoever claimed it, and the owners of the team for which it was claimed."""
    if user.is_auditor or not user.is_active:
        return denied(words("Auditors read everything and change nothing."))
    if user.pk == claim.claimed_by_id or teams.is_owner(user, claim.team):
        return ALLOWED
    return denied(
        words("Only {who} or an owner of {team} can withdraw the claim.", who=claim.claimed_by, team=claim.team)
    )


def _hidden(cluster: Cluster) -> Verdict:
    return denied(
        words(
            "Groups of {environment} are not shown to everyone, so they cannot be claimed. "
            "An administrator can say which team owns one.",
            environment=cluster.environment,
        )
    )
