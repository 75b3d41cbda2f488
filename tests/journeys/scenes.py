"""What the stories begin with: a topic with some records, and a group that read them and stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from devtools.kafka import topics
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.members import GroupMember
from devtools.kafka.topics import Record

HELLO = ("m1", "m2", "m3")
BETWEEN = timedelta(minutes=10)


@dataclass(frozen=True)
class Scene:
    """A topic and a group of Billing that has read all of it."""

    kafka: LocalKafka
    topic: str
    group: str
    began_at: datetime

    def written_at(self, number: int) -> datetime:
        """When record `number`, from 0, was written (whole milliseconds)."""
        return self.began_at + number * BETWEEN

    def write(self, *values: str, partition: int = 0) -> None:
        """Add records, written now."""
        topics.produce_values(self.kafka, self.topic, *values, partition=partition)

    def read(self, count: int) -> list[str]:
        """Start the group's consumer again and read the next records; then it stops."""
        with GroupMember(self.kafka, self.group, topics=[self.topic]) as member:
            return [(one.value or b"").decode() for one in member.read(count)]


def read_and_stopped(
    kafka: LocalKafka, topic: str, group: str, records: Mapping[int, Sequence[str]] | None = None
) -> Scene:
    """Make the topic with records ten minutes apart, the latest ten minutes ago, and let the group read them all.

    records: values by partition; without it one partition with m1, m2, m3.
    """
    wanted = records or {0: HELLO}
    longest = max(len(values) for values in wanted.values())
    now = datetime.now(UTC).replace(microsecond=0)
    scene = Scene(kafka, topic, group, now - longest * BETWEEN)
    topics.create_topic(kafka, topic, partitions=max(wanted) + 1)
    topics.produce(
        kafka,
        topic,
        [
            Record(value.encode(), partition=partition, at=scene.written_at(number))
            for partition, values in wanted.items()
            for number, value in enumerate(values)
        ],
    )
    scene.read(sum(len(values) for values in wanted.values()))
    return scene
