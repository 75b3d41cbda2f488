"""Who leads each partition, remembered for a moment: one plan asks the same leaders four times within a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

KNOWN_FOR_SECONDS = 2.0
"""A leader that has moved says so and is looked for anew; one that has died is believed in for no longer than this."""

NOBODY = -1


class Leaders:
    """The leaders that metadata named lately. Only topics all of whose partitions are led are kept."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock  # seconds
        self._known: dict[str, tuple[float, Mapping[int, int]]] = {}

    def learn(self, answer: Any) -> None:
        """Take in a metadata answer."""
        now = self._clock()
        for topic in answer.topics:
            led = {partition.partition_index: partition.leader_id for partition in topic.partitions}
            if topic.error_code or NOBODY in led.values():
                self._known.pop(topic.name, None)
            else:
                self._known[topic.name] = now, led

    def of(self, topic: str) -> Mapping[int, int] | None:
        """{partition: node}; None where that is not known, or was too long ago."""
        at, led = self._known.get(topic, (None, {}))
        return led if at is not None and self._clock() - at <= KNOWN_FOR_SECONDS else None

    def forget(self, topics: Collection[str]) -> None:
        """Ask anew next time."""
        for topic in topics:
            self._known.pop(topic, None)
