"""The shop's topics, and what was written to them before the demo began."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from devtools.demo.steps import Steps
from devtools.kafka import admin, topics
from devtools.kafka.logins import ADMIN, Door, Login
from devtools.kafka.topics import Record

SEED = 20261201
TOPICS = {"orders": 6, "payments": 3, "shipments": 3, "page-views": 4, "hello": 1, "refunds": 2}
_PAST = timedelta(hours=6)
_PAST_RECORDS = {"orders": 9000, "payments": 4500, "shipments": 2400, "page-views": 12_000, "refunds": 300}
_HELLO = ("m1", "m2", "m3")
_KEPT, _A_SEGMENT = timedelta(days=2), timedelta(hours=6)
"""The shop writes some 350 MB a day for as long as the demo runs; whole segments go once their last record is so old."""


@dataclass(frozen=True)
class RunningKafka:
    """The demo's broker, which the process runner keeps; enough of it for topics and records."""

    bootstrap_servers: str

    def door(self, login: Login = ADMIN, listener: str | None = None) -> Door:
        """The way in: plain, from this machine."""
        return Door(bootstrap_servers=self.bootstrap_servers, protocol="PLAINTEXT", login=login, certificates=None)

    def client_settings(self, login: Login = ADMIN, listener: str | None = None) -> dict[str, str]:
        """Settings in librdkafka's words."""
        return self.door(login, listener).confluent()


def due(kafka: RunningKafka, steps: Steps) -> list[str]:
    """The topics that are missing, or that an interrupted start left half filled."""
    with admin.opened(kafka.door()) as client:
        there = set(client.list_topics())
    return sorted(topic for topic in TOPICS if topic not in there or not steps.is_done(_step(topic)))


def stock(kafka: RunningKafka, topic: str, steps: Steps) -> None:
    """Create a topic and fill it with the last hours; one that is half filled is begun anew."""
    with admin.opened(kafka.door()) as client:
        is_there = topic in client.list_topics()
    if is_there:
        topics.delete_topic(kafka, topic)
    topics.create_topic(kafka, topic, partitions=TOPICS[topic], configs=_configs(topic))
    topics.produce(kafka, topic, _hello() if topic == "hello" else _past(topic))
    if topic == "page-views":
        # Retention has taken the oldest views: the ruler shows a hatched edge.
        topics.delete_records(kafka, topic, before={0: 400, 1: 350, 2: 420, 3: 300})
    steps.note(_step(topic))


def _step(topic: str) -> str:
    return f"topic {topic}"


def _hello() -> list[Record]:
    now = datetime.now(UTC)
    return [Record(value.encode(), at=now - timedelta(minutes=30 - 10 * place)) for place, value in enumerate(_HELLO)]


def _configs(topic: str) -> Mapping[str, str]:
    """Nobody writes to `hello` after the start: what is in it stays."""
    if topic == "hello":
        return {}
    milliseconds = timedelta(milliseconds=1)
    return {"retention.ms": str(_KEPT // milliseconds), "segment.ms": str(_A_SEGMENT // milliseconds)}


def _past(topic: str) -> Iterator[Record]:
    """Records spread over the last hours, denser in waves, in order of time; the same ones for each first start."""
    now = datetime.now(UTC)
    chance = random.Random(f"{SEED} {topic}")
    count = _PAST_RECORDS[topic]
    for number in range(count):
        share = number / count
        at = now - _PAST + _PAST * (share + 0.02 * math.sin(share * 40))
        yield order(topic, number, at, chance)


def order(topic: str, number: int, at: datetime, chance: random.Random) -> Record:
    """One record as the shop writes it."""
    customer = f"customer-{chance.randrange(400)}"
    body = {
        "id": f"{topic}-{number}",
        "customer": customer,
        "amount": chance.randrange(500, 90_000) / 100,
        "currency": "EUR",
    }
    return Record(
        value=json.dumps(body).encode(),
        key=customer.encode(),
        partition=chance.randrange(TOPICS[topic]),
        at=min(at, datetime.now(UTC)),
        headers=(("source", b"demo-shop"),),
    )
