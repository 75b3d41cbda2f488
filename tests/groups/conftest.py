"""What the tests of groups share: the cast, two teams, two clusters."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.utils.timezone import now

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.teams.models import Team


@dataclass(frozen=True)
class Scene:
    """Alice reads, Carol administers; Billing and Search own groups on `demo` and `other`."""

    alice: User
    carol: User
    billing: Team
    search: Team
    demo: Cluster
    other: Cluster

    def group(self, name: str, cluster: Cluster | None = None, **facts: object) -> ConsumerGroup:
        """A group as a sweep would have left it."""
        seen = {"type": "classic", "state": "Empty", "first_seen_at": now(), "last_seen_at": now()}
        return ConsumerGroup.objects.create(cluster=cluster or self.demo, name=name, **(seen | facts))


@pytest.fixture
def scene(db: None) -> Scene:
    """Build it; nobody has a usable password."""
    environment = Environment.objects.create(slug="test", name="Test")
    clusters = [
        Cluster.objects.create(name=name, title=name.title(), environment=environment, bootstrap_servers="kafka-1:9092")
        for name in ("demo", "other")
    ]
    return Scene(
        alice=User.objects.create(username="alice", name="Alice"),
        carol=User.objects.create(username="carol", name="Carol", role=GlobalRole.ADMINISTRATOR),
        billing=Team.objects.create(slug="billing", name="Billing"),
        search=Team.objects.create(slug="search", name="Search"),
        demo=clusters[0],
        other=clusters[1],
    )
