"""What the tests of the history share."""

from __future__ import annotations

import pytest

from tests.history.scene import Watched


@pytest.fixture
def watched(db: None) -> Watched:
    """A cluster with topic `orders` of three partitions, 100 records in each, and group `billing` at 10, 20 and 30."""
    watched = Watched()
    watched.kafka.add_topic("orders", partitions=3)
    for partition in range(3):
        watched.produce("orders", partition, 100)
    watched.commit("billing", "orders", p0=10, p1=20, p2=30)
    return watched
