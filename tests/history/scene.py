"""A cluster in the database, a fake one behind it, and a clock that only tests move."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count

from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.groups.models import ConsumerGroup
from kafkaconsole.history import sweeping
from kafkaconsole.history.models import Sweep
from kafkaconsole.kafka.values import Committed, Offset, TopicPartition
from tests.fakes.kafka import FakeKafka

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
INTERVAL = timedelta(seconds=30)
_numbers = count(1)


@dataclass
class Clock:
    """Time stands still until it is moved."""

    at: datetime = NOON

    def __call__(self) -> datetime:
        return self.at

    def move(self, by: timedelta) -> None:
        self.at += by


def make_cluster() -> Cluster:
    """A registered cluster that was never measured."""
    number = next(_numbers)
    environment, _ = Environment.objects.get_or_create(slug="test", defaults={"name": "Test"})
    return Cluster.objects.create(
        name=f"demo-{number}", title="Demo", environment=environment, bootstrap_servers="kafka-1:9092"
    )


@dataclass
class Watched:
    """One cluster under observation."""

    cluster: Cluster = field(default_factory=make_cluster)
    kafka: FakeKafka = field(default_factory=lambda: FakeKafka(f"kafka-{next(_numbers)}"))
    clock: Clock = field(default_factory=Clock)

    def sweep(self, after: timedelta = INTERVAL) -> Sweep:
        """Let time pass, then sweep."""
        self.clock.move(after)
        return sweeping.sweep(self.cluster.pk, self.kafka.connect, clock=self.clock, wait=self.clock.move)

    def commit(self, group: str, topic: str, **offsets: int) -> None:
        """What a consumer commits: `p0=3` is offset 3 on partition 0."""
        held = {
            TopicPartition(topic, int(name.removeprefix("p"))): Committed(Offset(offset))
            for name, offset in offsets.items()
        }
        self.kafka.set_committed(group, held)

    def produce(self, topic: str, partition: int, records: int) -> None:
        """So many more records in the log."""
        self.kafka.log(topic, partition).log_end += records

    def group(self, name: str = "billing") -> ConsumerGroup:
        """The row of a group as it is now."""
        return ConsumerGroup.objects.select_related("cluster").get(cluster=self.cluster, name=name)


def code_of(row: Sweep | Cluster) -> str | None:
    """The code of the problem that a row tells of."""
    row.refresh_from_db()
    return row.problem["code"] if row.problem else None
