"""The child process behind devtools.kafka.members: one consumer, told by lines of JSON on standard input what to do.

The first line holds its settings. Each later line is one command and gets one line back: {"answer": …} or {"error": "…"}.
It polls all the time, so that it heartbeats and rebalances; what it polled waits here until it is read, and only what
was read is committed.
"""

from __future__ import annotations

import base64
import json
import select
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

_POLL_SECONDS = 0.05


class Member:
    """A consumer that keeps what it polled until somebody asks for it."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        self._problem = ""
        self._fetched: deque[Message] = deque()
        self._was_assigned = False
        self._consumer = Consumer({**wanted["settings"], "error_cb": self._note})
        if wanted["assignment"]:
            self._consumer.assign([TopicPartition(topic, partition) for topic, partition in wanted["assignment"]])
            self._was_assigned = True
        else:
            self._consumer.subscribe(wanted["topics"], on_assign=self._assigned, on_revoke=self._revoked)

    def turn(self) -> None:
        """One poll."""
        message = self._consumer.poll(_POLL_SECONDS)
        if message is None:
            return
        error = message.error()
        if error is None:
            self._fetched.append(message)
        else:
            self._note(error)

    def wait_assigned(self, *, limit: float, needs_partitions: bool) -> list[list[Any]]:
        """Poll until the group has given out its partitions (at least one to us, if they are needed)."""
        deadline = time.monotonic() + limit
        while not self._was_assigned or (needs_partitions and not self.assignment()):
            self._give_up_after(deadline, "was given no partitions")
            self.turn()
        return self.assignment()

    def read(self, *, count: int, limit: float, commits: bool) -> list[dict[str, Any]]:
        """The next `count` records, committed before they are answered if `commits`."""
        deadline = time.monotonic() + limit
        while len(self._fetched) < count:
            self._give_up_after(deadline, f"has {len(self._fetched)} of {count} records")
            self.turn()
        taken = [self._fetched.popleft() for _ in range(count)]
        if commits and taken:
            self._commit(taken)
        return [_told(message) for message in taken]

    def assignment(self) -> list[list[Any]]:
        """[[topic, partition], …] as the client sees it now."""
        return [[one.topic, one.partition] for one in self._consumer.assignment()]

    def close(self) -> None:
        """Leave the group."""
        self._consumer.close()

    def _commit(self, taken: list[Message]) -> None:
        ends: dict[tuple[str, int], int] = {}
        for message in taken:
            topic, partition, offset = _place(message)
            ends[topic, partition] = offset + 1
        offsets = [TopicPartition(topic, partition, end) for (topic, partition), end in ends.items()]
        for one in self._consumer.commit(offsets=offsets, asynchronous=False) or []:
            if one.error is not None:
                raise KafkaException(one.error)

    def _give_up_after(self, deadline: float, what: str) -> None:
        if time.monotonic() >= deadline:
            raise TimeoutError(
                f"The member {what} and its time is up. The client's last problem: {self._problem or 'none'}."
            )

    def _note(self, error: KafkaError) -> None:
        self._problem = f"{error.name()}: {error.str()}"

    def _assigned(self, _consumer: Consumer, _partitions: list[TopicPartition]) -> None:
        self._was_assigned = True

    def _revoked(self, _consumer: Consumer, partitions: list[TopicPartition]) -> None:
        """What was polled and not read belongs to the next owner."""
        gone = {(one.topic, one.partition) for one in partitions}
        self._fetched = deque(one for one in self._fetched if (one.topic(), one.partition()) not in gone)


def _place(message: Message) -> tuple[str, int, int]:
    """Topic, partition, offset; a message without one of them is no record."""
    topic, partition, offset = message.topic(), message.partition(), message.offset()
    if topic is None or partition is None or offset is None:
        raise ValueError(f"The client gave a record without a place: {topic}, {partition}, {offset}.")
    return topic, partition, offset


def _told(message: Message) -> dict[str, Any]:
    value, key = message.value(), message.key()
    topic, partition, offset = _place(message)
    return {
        "topic": topic,
        "partition": partition,
        "offset": offset,
        "value": None if value is None else base64.b64encode(value).decode(),
        "key": None if key is None else base64.b64encode(key).decode(),
    }


def _answer(member: Member, command: dict[str, Any]) -> Any:
    verb = command.pop("do")
    verbs: dict[str, Callable[..., Any]] = {
        "wait_assigned": member.wait_assigned,
        "read": member.read,
        "assignment": member.assignment,
    }
    return verbs[verb](**command)


def _say(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Until standard input ends (then the member leaves its group) or the process is killed."""
    member = Member(json.loads(sys.stdin.readline()))
    _say({"answer": "started"})
    while True:
        ready, _, _ = select.select([sys.stdin], [], [], 0)
        if not ready:
            member.turn()
            continue
        line = sys.stdin.readline()
        if not line:
            member.close()
            return
        try:
            _say({"answer": _answer(member, json.loads(line))})
        except (KafkaException, TimeoutError) as error:
            _say({"error": str(error)})


if __name__ == "__main__":
    main()
