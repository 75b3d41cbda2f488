"""Fixtures of the contract suite."""

from __future__ import annotations

import pytest

from tests.kafka.worlds import FakeWorld, RealWorld, World


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.kafka)])
def world(request: pytest.FixtureRequest) -> World:
    """Every test that asks for it runs twice: on the fake, and on a real broker."""
    if request.param == "fake":
        return FakeWorld()
    return RealWorld(request.getfixturevalue("kafka_one"))
