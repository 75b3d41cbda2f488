"""The home page: what waits for a person, what they asked for, what was applied lately, what does not answer."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.functional import cached_property

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import policies as cluster_policies
from kafkaconsole.clusters.models import Cluster, Health
from kafkaconsole.clusters.queries import clusters_for
from kafkaconsole.groups.queries import groups_for
from kafkaconsole.resets import policies as reset_policies
from kafkaconsole.resets import queries
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.pages.listing import Summary, summaries
from kafkaconsole.resets.states import State
from kafkaconsole.teams.models import Team
from kafkaconsole.teams.queries import teams_of

SHOWN = 4
NOT_WELL = (Health.UNREACHABLE, Health.DEGRADED)


@dataclass(frozen=True)
class Home:
    """Each part is read when it is first drawn."""

    user: User

    @cached_property
    def waiting_count(self) -> int:
        """How many plans wait for this person's signature."""
        return queries.inbox_of(self.user).count()

    @cached_property
    def waiting(self) -> list[Summary]:
        """The first of them, longest waiting first."""
        return summaries(queries.inbox_of(self.user)[:SHOWN])

    @cached_property
    def asked(self) -> list[Summary]:
        """What this person asked for, newest first."""
        return summaries(queries.requests_for(self.user, requester=self.user.username)[:SHOWN])

    @cached_property
    def applied(self) -> list[Summary]:
        """What was written to a cluster lately, newest first."""
        found: QuerySet[ResetRequest] = queries.requests_for(self.user).filter(
            state__in=(State.APPLIED, State.PARTLY_APPLIED)
        )
        return summaries(found.order_by("-state_since")[:SHOWN])

    @cached_property
    def clusters(self) -> list[Cluster]:
        """Every cluster."""
        return list(clusters_for(self.user))

    @property
    def clusters_not_well(self) -> list[Cluster]:
        """Those that do not answer, or only in part."""
        return [one for one in self.clusters if one.health in NOT_WELL]

    @property
    def clusters_unreachable(self) -> list[Cluster]:
        """Those that do not answer."""
        return [one for one in self.clusters if one.health == Health.UNREACHABLE]

    @property
    def clusters_degraded(self) -> list[Cluster]:
        """Those that answer only in part."""
        return [one for one in self.clusters if one.health == Health.DEGRADED]

    @cached_property
    def groups_count(self) -> int:
        """How many groups were seen."""
        return groups_for(self.user).count()

    @cached_property
    def teams(self) -> list[Team]:
        """The person's teams."""
        return list(teams_of(self.user))

    @cached_property
    def why_not_ask(self) -> str:
        """Why this person can ask for no reset at all, in a sentence; empty: they can."""
        return reset_policies.may_request_somewhere(self.user).reason

    @property
    def may_add_clusters(self) -> bool:
        """Whether the next step of a fresh installation is theirs."""
        return bool(cluster_policies.may_administer(self.user))
