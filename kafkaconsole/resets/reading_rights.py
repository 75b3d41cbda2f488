"""May this person read messages of a group, asked before there is a request? The same rule as for a request's records."""

from __future__ import annotations

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters.models import Cluster, Right
from kafkaconsole.groups.permissions import may
from kafkaconsole.teams.verdicts import Verdict


def may_look_at_records(user: User, cluster: Cluster, group_name: str) -> Verdict:
    """`policies.may_read_records` for a request that the group's team could make."""
    return may(user, Right.READ_MESSAGES, cluster=cluster, group=group_name)
