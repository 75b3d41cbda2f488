"""May this person read messages of a group, asked before there is a request? The same rule as for a request's records."""

from __future__ import annotations

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.errors import Refused
from kafkaconsole.groups import queries as groups
from kafkaconsole.resets import policies
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.teams.verdicts import Verdict, denied


def may_look_at_records(user: User, cluster: Cluster, group_name: str) -> Verdict:
    """`policies.may_read_records` for a request that the group's team could make."""
    try:
        team = groups.owner_of(cluster, group_name)
    except Refused:
        team = None
    if team is None:
        return denied(f"No one team owns {group_name} on {cluster}, so nobody can be allowed to read its messages.")
    return policies.may_read_records(user, ResetRequest(cluster=cluster, team=team, group_name=group_name))
