"""A topic and a group of a real broker, and the plans that are made there: what it takes for a warning to be true."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from kafkaconsole.kafka.groups import open_admin
from kafkaconsole.kafka.records import open_reader
from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets.change import Change, parse_change
from kafkaconsole.resets.facts import NOTHING_RECALLED, Facts, Recalled
from kafkaconsole.resets.gathering import gather
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.planning import compute
from tests.kafka.worlds import RealWorld, settings_for

HOUR = timedelta(hours=1)


@dataclass
class Ground:
    """One topic and one group of a real broker, and the plans that are made there."""

    kafka: LocalKafka
    topic: str
    group: str
    recalled: Recalled = NOTHING_RECALLED
    world: RealWorld = field(init=False)

    def __post_init__(self) -> None:
        self.world = RealWorld(self.kafka)

    def make(self, partitions: int = 1, **configs: str) -> None:
        """The topic."""
        named = {name.replace("_", "."): value for name, value in configs.items()}
        topics.create_topic(self.kafka, self.topic, partitions=partitions, configs=named)

    def write(self, *hours: float) -> None:
        """One record each, so many hours from now."""
        now = datetime.now(UTC)
        topics.produce(self.kafka, self.topic, [topics.Record(b"m", at=now + one * HOUR) for one in hours])

    def commit(self, offset: int, partition: int = 0) -> None:
        """What a consumer without a membership commits."""
        self.world.commit_by_hand(self.group, {TopicPartition(self.topic, partition): offset})

    def change(self, kind: str = "to_earliest", **strategy: object) -> Change:
        """A change of the whole topic."""
        return parse_change(
            {
                "cluster": "demo",
                "group": self.group,
                "scope": {"topics": [{"topic": self.topic}]},
                "strategy": {"kind": kind, **strategy},
            }
        )

    def facts(self, change: Change) -> Facts:
        """Measured now."""
        with open_admin(settings_for(self.kafka)) as admin, open_reader(settings_for(self.kafka)) as times:
            return gather(admin, change, now=datetime.now(UTC), times=times, recalled=self.recalled)

    def told(self, kind: str = "to_earliest", **strategy: object) -> dict[str, str]:
        """Every warning by its code, as people read it."""
        change = self.change(kind, **strategy)
        plan = compute(change, self.facts(change), datetime.now(UTC))
        return {one.code: sentence(one.code, one.facts) for one in plan.warnings}


@pytest.fixture
def ground(kafka_one: LocalKafka, topic_name: str, group_name: str) -> Ground:
    """A topic and a group of this test alone; neither is made yet."""
    return Ground(kafka_one, topic_name, group_name)
