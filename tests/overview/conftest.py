"""What the tests of pages that join several apps share: the cast, and a watched cluster with a history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import sweeping
from tests.history.scene import Clock
from tests.scene import Scene

MINUTE = timedelta(minutes=1)


@dataclass
class Past:
    """The scene's cluster, swept by a clock that tests move; it begins half an hour ago."""

    scene: Scene
    clock: Clock

    def sweep(self, after: timedelta = MINUTE) -> datetime:
        """Let time pass, then sweep; answers when."""
        self.clock.move(after)
        sweeping.sweep(self.scene.cluster.pk, self.scene.kafka.connect, clock=self.clock, wait=self.clock.move)
        return self.clock.at

    def group(self, name: str = "billing-orders") -> ConsumerGroup:
        """A group's row as it is now."""
        return ConsumerGroup.objects.select_related("cluster").get(cluster=self.scene.cluster, name=name)


@pytest.fixture
def past(scene: Scene) -> Past:
    """Nothing is swept yet."""
    return Past(scene, Clock(timezone.now().replace(microsecond=0) - timedelta(minutes=30)))


@pytest.fixture
def see(client: Client) -> Callable[..., str]:
    """`see(person, address, …)`: the page as that person gets it."""

    def get(person: User, address: str, *, status: int = 200, **query: str) -> str:
        client.force_login(person)
        answer = client.get(address, query)
        assert answer.status_code == status, answer.content.decode()[:500]
        return answer.content.decode()

    return get
