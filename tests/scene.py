"""The scene of most workflow tests: the cast, a cluster, a rule that gives `billing-` groups to Billing, a fake Kafka."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from kafkaconsole.clusters.models import Cluster
from tests import factories
from tests.factories import Cast
from tests.fakes.kafka import FakeKafka


@dataclass(frozen=True)
class Scene:
    """Who and what is there."""

    cast: Cast
    cluster: Cluster
    kafka: FakeKafka


@pytest.fixture
def cast(db: None) -> Cast:
    """Everyone."""
    return factories.make_cast()


@pytest.fixture
def kafka() -> FakeKafka:
    """Topic `hello` with three partitions of three records, read to the end by `billing-orders`."""
    return factories.make_kafka()


@pytest.fixture
def scene(cast: Cast, kafka: FakeKafka, settings: object) -> Scene:
    """Ready to ask for a reset."""
    cluster = factories.make_cluster()
    factories.give_groups(cast.billing, "billing-")
    return Scene(cast, cluster, kafka)
