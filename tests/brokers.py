"""Real Kafka clusters for tests: a pytest plugin (`-p tests.brokers`).

Each cluster starts when the first test asks for it, is shared by all tests of the session, and stops at its end. Under
pytest-xdist every worker has clusters of its own, so that a test may pause or kill a broker without disturbing another.
Nothing is skipped: where Kafka cannot start, the tests that need it fail and say why.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator

import pytest

from devtools.kafka.cluster import LocalKafka
from devtools.kafka.tools import Tools

_KEPT_OF_TEST_NAME = 60
_CLUSTERS = {"kafka_one", "kafka_three", "kafka_secure", "kafka_tls"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever asks for a cluster is marked `kafka`, so that `-m "not kafka"` leaves out all of them."""
    for item in items:
        if _CLUSTERS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.kafka)


@pytest.fixture(scope="session")
def kafka_one() -> Iterator[LocalKafka]:
    """One node, plain. A test that breaks something asks for `breakable_one`."""
    with LocalKafka() as kafka:
        yield kafka


@pytest.fixture
def breakable_one(kafka_one: LocalKafka) -> Iterator[LocalKafka]:
    """The one node, running and answering again for the next test, whatever this one did to it."""
    yield kafka_one
    kafka_one.mend()


@pytest.fixture(scope="session")
def kafka_three() -> Iterator[LocalKafka]:
    """Three nodes, plain. A test that breaks something asks for `breakable_three`."""
    with LocalKafka(nodes=3) as kafka:
        yield kafka


@pytest.fixture
def breakable_three(kafka_three: LocalKafka) -> Iterator[LocalKafka]:
    """The three nodes, all running and answering again for the next test, whatever this one paused, stopped or killed."""
    yield kafka_three
    kafka_three.mend()


@pytest.fixture(scope="session")
def kafka_secure() -> Iterator[LocalKafka]:
    """One node with SCRAM-SHA-512 users and ACLs (devtools.kafka.logins, devtools.kafka.acls)."""
    with LocalKafka(security="secure") as kafka:
        yield kafka


@pytest.fixture(scope="session")
def kafka_tls() -> Iterator[LocalKafka]:
    """`kafka_secure` with TLS, and a listener for client certificates."""
    with LocalKafka(security="tls") as kafka:
        yield kafka


@pytest.fixture(scope="session")
def kafka_one_tools(kafka_one: LocalKafka) -> Tools:
    """Kafka's own command-line tools against `kafka_one`."""
    return Tools(kafka_one)


@pytest.fixture
def unique_name(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Makes names that no other test uses and that tell the test: unique_name("orders")."""
    test = re.sub(r"[^A-Za-z0-9._-]+", "-", request.node.name)[:_KEPT_OF_TEST_NAME]

    def make(kind: str) -> str:
        return f"{kind}.{test}.{uuid.uuid4().hex[:8]}"

    return make


@pytest.fixture
def topic_name(unique_name: Callable[[str], str]) -> str:
    """A topic name of this test alone (the topic is not made)."""
    return unique_name("topic")


@pytest.fixture
def group_name(unique_name: Callable[[str], str]) -> str:
    """A group name of this test alone."""
    return unique_name("group")
