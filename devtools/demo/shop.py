"""`python -m devtools.demo.shop BOOTSTRAP`: the shop that keeps moving; one thread each for the writer and every reader.

Readers differ on purpose: classic and KIP-848, steady and slow, one that never commits, one with partitions assigned by hand.
Groups that have stopped are made by the stories, not here.
"""

from __future__ import annotations

import functools
import math
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition

from devtools.demo.goods import SEED, TOPICS, order

_WRITES_A_SECOND = {"orders": 6.0, "payments": 3.0, "shipments": 1.5, "page-views": 8.0, "refunds": 0.2}
_WAVE_SECONDS = 180.0


@dataclass(frozen=True)
class Reader:
    """One member of one group and how it reads."""

    group: str
    topics: tuple[str, ...]
    client_id: str
    protocol: str = "classic"
    commits: bool = True
    by_hand: bool = False
    records_a_second: float = 200.0
    instance_id: str | None = None


READERS = (
    Reader("billing", ("orders", "payments"), "billing-worker-1"),
    Reader("billing", ("orders", "payments"), "billing-worker-2"),
    Reader("billing-reports", ("orders",), "billing-reports-1", records_a_second=5.2),
    Reader("billing-ledger", ("payments", "refunds"), "billing-ledger-1", protocol="consumer", instance_id="ledger-1"),
    Reader("billing-legacy", ("refunds",), "billing-legacy", by_hand=True),
    Reader("search-indexer", ("page-views",), "search-indexer-1", protocol="consumer"),
    Reader("search-suggest", ("page-views",), "search-suggest-1", records_a_second=6.0),
    Reader("search-tail", ("orders",), "search-tail", commits=False),
    Reader("shipping", ("shipments", "orders"), "shipping-1"),
)


def main(bootstrap_servers: str) -> int:
    """Run until SIGTERM; a thread that fails ends the process, and the runner starts it again."""
    stop = threading.Event()
    failed = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())

    threads = [_thread(stop, failed, lambda: write(bootstrap_servers, stop))]
    threads += [_thread(stop, failed, functools.partial(read, bootstrap_servers, reader, stop)) for reader in READERS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 1 if failed.is_set() else 0


def _thread(stop: threading.Event, failed: threading.Event, work: Callable[[], None]) -> threading.Thread:
    def run() -> None:
        try:
            work()
        except KafkaException as error:
            print(f"A part of the shop failed: {error}", file=sys.stderr, flush=True)
            failed.set()
            stop.set()

    return threading.Thread(target=run)


def write(bootstrap_servers: str, stop: threading.Event) -> None:
    """Write orders and what follows from them, more and less in waves."""
    chance = random.Random(SEED + 1)
    producer = Producer({"bootstrap.servers": bootstrap_servers, "client.id": "shop", "linger.ms": 50})
    owed = dict.fromkeys(_WRITES_A_SECOND, 0.0)
    number = int(time.time())
    while not stop.wait(0.5):
        wave = 1 + 0.7 * math.sin(time.time() / _WAVE_SECONDS * 2 * math.pi)
        for topic, rate in _WRITES_A_SECOND.items():
            owed[topic] += rate * wave * 0.5
            while owed[topic] >= 1:
                owed[topic] -= 1
                number += 1
                record = order(topic, number, datetime.now(UTC), chance)
                producer.produce(
                    topic, value=record.value, key=record.key, partition=record.partition, headers=list(record.headers)
                )
        producer.poll(0)
    producer.flush(5)


def read(bootstrap_servers: str, reader: Reader, stop: threading.Event) -> None:
    """Read at the reader's pace until told to stop, then leave the group."""
    consumer = Consumer(_settings(bootstrap_servers, reader))
    try:
        if reader.by_hand:
            consumer.assign(
                [TopicPartition(topic, number) for topic in reader.topics for number in range(TOPICS[topic])]
            )
        else:
            consumer.subscribe(list(reader.topics))
        while not stop.is_set():
            message = consumer.poll(0.5)
            if message is None:
                continue
            error = message.error()
            if error is not None and error.code() != KafkaError._PARTITION_EOF:
                raise KafkaException(error)
            stop.wait(1 / reader.records_a_second)
    finally:
        consumer.close()


def _settings(bootstrap_servers: str, reader: Reader) -> dict[str, str | int | float | bool | None]:
    settings: dict[str, str | int | float | bool | None] = {
        "bootstrap.servers": bootstrap_servers,
        "group.id": reader.group,
        "client.id": reader.client_id,
        "auto.offset.reset": "earliest",
        "enable.auto.commit": reader.commits,
        "auto.commit.interval.ms": 2000,
        "group.protocol": reader.protocol,
    }
    if reader.protocol == "classic":
        settings["session.timeout.ms"] = 10_000
    if reader.instance_id:
        settings["group.instance.id"] = reader.instance_id
    return settings


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
