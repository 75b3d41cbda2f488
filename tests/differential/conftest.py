"""The broker that both sides look at, with what builds on it and Kafka's tool in its warm process."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from devtools.kafka.cluster import LocalKafka
from devtools.kafka.warm_tool import WarmTool
from tests.differential.both import Both
from tests.differential.ground import Ground


@pytest.fixture(scope="session")
def both(kafka_one: LocalKafka) -> Iterator[Both]:
    """Both sides on one broker."""
    with Ground.on(kafka_one) as ground, WarmTool(kafka_one) as tool:
        yield Both(ground, tool)


@pytest.fixture
def now() -> datetime:
    """The moment that a duration counts from."""
    return datetime.now(UTC)
