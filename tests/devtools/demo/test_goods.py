"""The demo's topics: what the shop goes on writing to does not fill the disk, and what the stories tell of stays."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from kafka.admin import ConfigResource, ConfigResourceType

from devtools.demo import goods, shop
from devtools.demo.steps import Steps
from devtools.kafka import admin, topics
from devtools.kafka.cluster import LocalKafka

pytestmark = pytest.mark.kafka

LONGEST = timedelta(days=3)


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Steps:
    """What is done, in a folder of its own."""
    return Steps(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def stocked(steps: Steps) -> Iterator[goods.RunningKafka]:
    """A broker of its own, with the shop's topics: they have fixed names. Filling one of them was interrupted."""
    with LocalKafka() as kafka:
        running = goods.RunningKafka(kafka.bootstrap_servers)
        topics.create_topic(running, "hello", partitions=1)
        topics.produce_values(running, "hello", "m1")
        assert goods.due(running, steps) == sorted(goods.TOPICS)
        for topic in goods.due(running, steps):
            goods.stock(running, topic, steps)
        yield running


def kept_for(kafka: goods.RunningKafka, topic: str) -> timedelta | None:
    """The longest that a record stays, with the segment that it lies in; None: for ever."""
    with admin.opened(kafka.door()) as client:
        resource = ConfigResource(ConfigResourceType.TOPIC, topic)
        described = client.describe_configs([resource], config_filter="all")
        settings = described["topic"][topic]
    retention, segment = (int(settings[name]["value"]) for name in ("retention.ms", "segment.ms"))
    return None if retention == -1 else timedelta(milliseconds=retention + segment)


def test_what_the_shop_goes_on_writing_to_is_deleted_in_the_end(stocked: goods.RunningKafka) -> None:
    for topic in shop._WRITES_A_SECOND:
        kept = kept_for(stocked, topic)
        assert kept is not None and kept <= LONGEST


def test_what_nobody_writes_to_any_more_stays(stocked: goods.RunningKafka) -> None:
    assert [topic for topic in goods.TOPICS if kept_for(stocked, topic) is None] == ["hello"]


def test_the_last_hours_are_there_when_the_demo_begins(stocked: goods.RunningKafka) -> None:
    kept = sum(end - start for start, end in topics.log_bounds(stocked, "orders").values())
    assert kept == goods._PAST_RECORDS["orders"]


def test_a_topic_that_was_half_filled_is_as_if_nothing_had_been(stocked: goods.RunningKafka) -> None:
    assert topics.log_bounds(stocked, "hello") == {0: (0, 3)}


def test_a_second_start_leaves_the_topics_alone(stocked: goods.RunningKafka, steps: Steps) -> None:
    assert goods.due(stocked, steps) == []


def test_what_an_earlier_version_has_filled_is_left_alone_too(stocked: goods.RunningKafka, tmp_path: Path) -> None:
    filled = Steps(tmp_path)
    filled.end()
    assert goods.due(stocked, filled) == []


def test_a_topic_that_somebody_deleted_is_due_again(stocked: goods.RunningKafka, steps: Steps) -> None:
    topics.delete_topic(stocked, "refunds")
    assert goods.due(stocked, steps) == ["refunds"]
    goods.stock(stocked, "refunds", steps)
    assert goods.due(stocked, steps) == []
