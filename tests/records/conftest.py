"""What the tests of records share."""

from __future__ import annotations

import pytest

from kafkaconsole.resets.models import ResetRequest
from tests.fakes.kafka import FakeKafka
from tests.records.scene import Scene, line, make_request, make_scene


@pytest.fixture
def scene(db: None) -> Scene:
    """The cast and their cluster."""
    return make_scene()


@pytest.fixture
def kafka() -> FakeKafka:
    """Topic `hello` with m1, m2, m3 in partition 0 and n1, n2 in partition 1."""
    kafka = FakeKafka()
    kafka.add_topic("hello", partitions=2)
    for value in (b"m1", b"m2", b"m3"):
        kafka.produce("hello", 0, value)
    for value in (b"n1", b"n2"):
        kafka.produce("hello", 1, value)
    return kafka


@pytest.fixture
def reset(scene: Scene) -> ResetRequest:
    """Back to the start: hello-0 from 2 (its log ends at 3), hello-1 from 2 (its log ends there)."""
    lines = [
        line("hello", 0, target=0, committed=2, log_end=3),
        line("hello", 1, target=0, committed=2, log_end=2),
    ]
    return make_request(scene, lines)
