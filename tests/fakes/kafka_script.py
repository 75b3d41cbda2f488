"""What a test may dictate to the fake cluster: single answers, whole failures, lost and late writes, sudden events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.errors import KafkaUnavailable
from kafkaconsole.kafka.values import (
    Committed,
    Offset,
    Problem,
    ProblemKind,
    TopicPartition,
    WriteAnswer,
    WriteOutcome,
)
from tests.fakes.kafka_cluster import FakeCluster

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")

ANSWER_LOST = Problem(ProblemKind.UNAVAILABLE, "REQUEST_TIMED_OUT", passing=True)
UNKNOWN = WriteAnswer(WriteOutcome.UNKNOWN, ANSWER_LOST)


@dataclass(slots=True)
class LostWrites:
    """How many of the next writes stay without an answer, and what became of them in truth."""

    times: int = 0
    applied: bool = True
    after_readings: int = 0


class ScriptedCluster(FakeCluster):
    """A fake cluster whose behaviour a test can bend, call by call."""

    def __init__(self, cluster_id: str = "fake-cluster", brokers: tuple[str, ...] = ("kafka-1:9092",)) -> None:
        super().__init__(cluster_id, brokers)
        self.calls: list[str] = []
        self._failures: dict[str, list[ConsoleError]] = defaultdict(list)
        self._down: ConsoleError | None = None
        self._answers: dict[tuple[str, Hashable], Any] = {}
        self._before: dict[str, list[tuple[Callable[[], object], bool]]] = defaultdict(list)
        self._lost = LostWrites()
        self._late: list[tuple[int, Callable[[], None]]] = []

    def answer(self, call: str, key: Hashable, answer: object) -> None:
        """From now on `call` answers `key` like this.

        The key is what the call is asked about: a group, a partition, a topic; for `list_groups` a broker's name with
        a Problem, or a group with None (left out of the listing); for `commit` a partition with a WriteAnswer.
        """
        self._answers[call, key] = answer

    def forget_answers(self) -> None:
        """Back to the broker's own answers."""
        self._answers.clear()

    def fail(self, call: str, error: ConsoleError, *, times: int = 1) -> None:
        """Let the next calls of that name (`connect` too) raise."""
        self._failures[call].extend([error] * times)

    def go_down(self, error: ConsoleError | None = None) -> None:
        """Every call, and `connect`, raises until `come_up`."""
        self._down = error or KafkaUnavailable(reason="nothing_listens")

    def come_up(self) -> None:
        """The cluster answers again."""
        self._down = None

    def before(self, call: str, happens: Callable[[], object], *, once: bool = True) -> None:
        """Let something happen to the cluster just before a call: a member joins, a topic goes, a broker dies."""
        self._before[call].append((happens, once))

    def commit_by_hand(self, group: str, of: TopicPartition, *, step: int = 1) -> None:
        """A running consumer with manual assignment: its commit moves on before every reading of commits."""

        def move_on() -> None:
            held = self.group(group).committed.get(of, Committed(Offset(0)))
            self.set_committed(group, {of: Committed(Offset(held.offset + step))})

        self.before("committed", move_on, once=False)
        self.before("committed_of", move_on, once=False)

    def lose_answers(self, *, times: int = 1, applied: bool = True, after_readings: int = 0) -> None:
        """The next writes answer UNKNOWN; what was accepted is applied at once, never, or after some readings."""
        self._lost = LostWrites(times, applied, after_readings)

    def enter(self, call: str) -> None:
        """Count a call, let happen what was to happen before it, and raise if it was to fail."""
        self.calls.append(call)
        for entry in list(self._before[call]):
            if entry[1]:
                self._before[call].remove(entry)
            entry[0]()
        if self._down is not None:
            raise self._down
        if self._failures[call]:
            raise self._failures[call].pop(0)

    def scripted(self, call: str, key: Key, answer: Callable[[Key], Answer]) -> Answer:
        """The dictated answer if there is one, else the broker's own."""
        if (call, key) in self._answers:
            dictated: Answer = self._answers[call, key]
            return dictated
        return answer(key)

    def dictated(self, call: str) -> dict[Hashable, Any]:
        """Everything dictated for a call, by key."""
        return {key: answer for (name, key), answer in self._answers.items() if name == call}

    def write(
        self, answers: dict[TopicPartition, WriteAnswer], apply: Callable[[], None]
    ) -> dict[TopicPartition, WriteAnswer]:
        """Apply a write, now, later or never, and answer for it."""
        if self._lost.times == 0:
            apply()
            return answers
        self._lost.times -= 1
        if self._lost.applied and self._lost.after_readings:
            self._late.append((self._lost.after_readings, apply))
        elif self._lost.applied:
            apply()
        return dict.fromkeys(answers, UNKNOWN)

    def reading_done(self) -> None:
        """One reading of commits has been answered: late writes come nearer."""
        waiting = [(left - 1, apply) for left, apply in self._late]
        self._late = [(left, apply) for left, apply in waiting if left > 0]
        for left, apply in waiting:
            if left <= 0:
                apply()
