"""Which partition of __consumer_offsets holds a group, and waiting until all of them are served."""

from __future__ import annotations

import time
from typing import Any

from kafka.errors import KafkaError

from devtools.kafka import admin
from devtools.kafka.configs import OFFSETS_PARTITIONS
from devtools.kafka.errors import KafkaNotReady
from devtools.kafka.logins import Door
from devtools.kafka.waiting import comes_true

OFFSETS_TOPIC = "__consumer_offsets"
_LIMIT_SECONDS = 60.0
_PAUSE_SECONDS = 0.1


def offsets_partition(group: str, partitions: int = OFFSETS_PARTITIONS) -> int:
    """The partition whose leader coordinates the group: abs(Java's String.hashCode) mod partitions (Kafka's Utils.abs)."""
    value = 0
    for unit in memoryview(group.encode("utf-16-le")).cast("H"):
        value = (31 * value + unit) & 0xFFFFFFFF
    signed = value - 2**32 if value >= 2**31 else value
    return (0 if signed == -(2**31) else abs(signed)) % partitions


def wait_until_served(door: Door, limit: float = _LIMIT_SECONDS) -> None:
    """Ask for the offsets of one group on each partition of __consumer_offsets until all answer.

    The topic is made at the first such question (0.2-1.2 s of COORDINATOR_NOT_AVAILABLE on a new cluster), and after a
    restart its partitions are loaded first (COORDINATOR_LOAD_IN_PROGRESS). KafkaNotReady after `limit` seconds.
    """
    deadline = time.monotonic() + limit
    names = _one_group_on_each_partition()
    problem: KafkaError | None = None
    while time.monotonic() < deadline:
        try:
            with admin.opened(door) as client:
                client.list_group_offsets(names)
        except KafkaError as error:
            problem = error
            time.sleep(_PAUSE_SECONDS)
        else:
            return
    raise KafkaNotReady(f"Consumer groups were not served within {limit:.0f} s. The last answer: {problem!r}.")


def wait_until_in_sync(door: Door, limit: float = _LIMIT_SECONDS) -> None:
    """Return when every replica of every partition has caught up, so that any node may fail again."""
    with admin.opened(door) as client:
        if not comes_true(lambda: not _behind(client), limit=limit, every=_PAUSE_SECONDS):
            raise KafkaNotReady(
                f"These partitions have replicas that lag behind after {limit:.0f} s: {_behind(client)}."
            )


def _behind(client: Any) -> list[str]:
    return [
        f"{topic['name']}-{one['partition_index']}"
        for topic in client.describe_topics()
        for one in topic["partitions"]
        if set(one["isr_nodes"]) != set(one["replica_nodes"])
    ]


def _one_group_on_each_partition() -> list[str]:
    names: dict[int, str] = {}
    number = 0
    while len(names) < OFFSETS_PARTITIONS:
        name = f"warm-up-{number}"
        names.setdefault(offsets_partition(name), name)
        number += 1
    return list(names.values())
