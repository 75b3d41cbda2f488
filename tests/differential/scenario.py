"""A scenario of the comparison with Kafka's tool, as plain values: logs, commits, the group, and what is asked for.

Topics are told apart by place (0, 1 …) and read as letters; the names on the broker are made when it is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

START = datetime(2026, 3, 1, tzinfo=UTC)
"""Minute 0 of every record's time."""
MINUTE_MS = 60_000
MARKER_MINUTE = 20_000_000
"""Stands for the broker's clock, which stamps the end of a transaction: later than every record, before 2102."""
NOWHERE = 9
"""The place of a topic that does not exist."""


class Ending(StrEnum):
    """How a batch of records was written: without a transaction, or in one that ended so."""

    PLAIN = "plain"
    COMMITTED = "committed"
    ABORTED = "aborted"
    OPEN = "open"


@dataclass(frozen=True)
class Batch:
    """Records in the order they were written, by their times in minutes after START."""

    minutes: tuple[int, ...]
    ending: Ending = Ending.PLAIN


@dataclass(frozen=True)
class Log:
    """One partition: its batches, and up to where its records were deleted. `kept` names the offsets that compaction left."""

    batches: tuple[Batch, ...] = ()
    deleted_before: int = 0
    kept: frozenset[int] | None = None

    @property
    def end(self) -> int:
        """The offset of the next record."""
        return sum(1 for _ in self._all())

    @property
    def start(self) -> int:
        """The first offset that is not deleted."""
        return min(self.deleted_before, self.end)

    def minutes(self) -> dict[int, int]:
        """{offset: minutes} of all that lies in the files, also below the start: they are removed much later."""
        return {place: at for place, at in enumerate(self._all()) if self.kept is None or place in self.kept}

    def _all(self) -> Iterator[int]:
        for batch in self.batches:
            yield from batch.minutes
            if batch.ending in (Ending.COMMITTED, Ending.ABORTED):
                yield MARKER_MINUTE


Topic = tuple[Log, ...]


@dataclass(frozen=True, order=True)
class Place:
    """One partition of one of the scenario's topics."""

    topic: int
    partition: int

    def __str__(self) -> str:
        return f"{letter(self.topic)}-{self.partition}"


def letter(topic: int) -> str:
    """A topic's name in what people read."""
    return "X" if topic == NOWHERE else "ABCDEFGH"[topic]


class GroupKind(StrEnum):
    """How the group came to be; one made by commits alone does not exist when there are none."""

    BY_COMMIT = "made by its commits"
    CLASSIC = "closed, classic"
    CONSUMER = "closed, KIP-848"


@dataclass(frozen=True)
class Wish:
    """A strategy of the tool. `number` for offsets and shifts, `minute` and `ms` for times, `rows` for a file."""

    option: str
    number: int = 0
    minute: int = 0
    ms: int = 0
    zone: str = ""
    rows: tuple[tuple[Place, int], ...] = ()

    @property
    def instant(self) -> datetime:
        """The moment asked for by a date."""
        return START + timedelta(minutes=self.minute, milliseconds=self.ms)

    def duration_seconds(self, now: datetime) -> int:
        """How long before `now`: half a minute after `minute`, so that a slow call changes nothing."""
        return (now - START) // timedelta(seconds=1) - 60 * self.minute - 30


@dataclass(frozen=True)
class ScopedTopic:
    """A topic in scope, and which of its partitions; None is all of them."""

    topic: int
    partitions: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Scenario:
    """Everything that both sides are given. `scope` None: all that the group has committed on."""

    topics: tuple[Topic, ...]
    wish: Wish
    scope: tuple[ScopedTopic, ...] | None
    commits: tuple[tuple[Place, int], ...] = ()
    group: GroupKind = GroupKind.BY_COMMIT
    create: bool = True

    @property
    def group_exists(self) -> bool:
        """Whether the broker knows the group."""
        return bool(self.commits) or self.group is not GroupKind.BY_COMMIT

    def committed(self, of: Place) -> int | None:
        """The group's commit on a partition."""
        return dict(self.commits).get(of)

    def log(self, of: Place) -> Log:
        """One partition's log."""
        return self.topics[of.topic][of.partition]
