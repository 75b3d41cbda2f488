"""`python -m devtools.demo.play produce|consume|offsets …`: a producer, a consumer and Kafka's own tool, on a running demo.

    produce TOPIC VALUE …    write records to partition 0
    consume GROUP TOPIC …    as a member of the group, print what it has not read yet, commit, and stop
    offsets GROUP            what Kafka's own kafka-consumer-groups says of the group

DEMO_DIR says which demo, as for `make demo`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from confluent_kafka import Message

from devtools.demo.goods import RunningKafka
from devtools.demo.layout import ROOT, DemoRefused
from devtools.demo.reading import read_to_the_end
from devtools.kafka import admin, topics
from devtools.kafka.errors import LocalKafkaError
from devtools.kafka.ports import is_free
from devtools.kafka.tools import Tool, Tools
from devtools.kafka.topics import Record


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one of the three; 1 with a sentence when that did not work out."""
    wanted = _parser().parse_args(arguments)
    act: Callable[[RunningKafka, argparse.Namespace], int] = wanted.act
    try:
        return act(_running(), wanted)
    except (DemoRefused, LocalKafkaError) as error:
        print(error, file=sys.stderr, flush=True)
        return 1


def _running() -> RunningKafka:
    """The broker of the demo that DEMO_DIR names, if it runs."""
    folder = Path(os.environ.get("DEMO_DIR", str(ROOT / ".demo"))).resolve()
    file = folder / "ports.json"
    port = json.loads(file.read_text())["kafka"] if file.exists() else None
    if port is None or is_free(port):
        raise DemoRefused(f"No demo runs in {folder}: start it with `make demo`, or say by DEMO_DIR where it is.")
    return RunningKafka(f"127.0.0.1:{port}")


def _produce(kafka: RunningKafka, wanted: argparse.Namespace) -> int:
    _require(kafka, [wanted.topic])
    written = topics.produce(kafka, wanted.topic, [Record(value.encode()) for value in wanted.values])
    for value, place in zip(wanted.values, written, strict=True):
        print(f"{value}  → {wanted.topic}-{place.partition} at offset {place.offset}", flush=True)
    return 0


def _consume(kafka: RunningKafka, wanted: argparse.Namespace) -> int:
    _require(kafka, wanted.topics)
    told: list[str] = []

    def tell(message: Message) -> None:
        text = (message.value() or b"").decode(errors="replace")
        told.append(text)
        print(f"{text}  ← {message.topic()}-{message.partition()} at offset {message.offset()}", flush=True)

    read_to_the_end(kafka, wanted.group, wanted.topics, tell)
    print(f"{wanted.group} has read {len(told)}, committed and stopped.", flush=True)
    return 0


def _offsets(kafka: RunningKafka, wanted: argparse.Namespace) -> int:
    answer = Tools(kafka).run(Tool.CONSUMER_GROUPS, "--describe", "--group", wanted.group)
    said = answer.stdout.strip()
    if said.startswith("Error:"):  # the tool's exit code is 0 all the same
        print(said.splitlines()[0], flush=True)
        return 1
    print(said, answer.stderr.strip(), sep="\n", flush=True)
    return answer.exit_code


def _require(kafka: RunningKafka, wanted: Sequence[str]) -> None:
    """A typing error makes no topic."""
    with admin.opened(kafka.door()) as client:
        there = {name for name in client.list_topics() if not name.startswith("__")}
    for topic in wanted:
        if topic not in there:
            raise DemoRefused(f"There is no topic {topic}; there are {', '.join(sorted(there))}.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m devtools.demo.play", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ways = parser.add_subparsers(required=True, metavar="produce|consume|offsets")
    produce = ways.add_parser("produce")
    produce.add_argument("topic")
    produce.add_argument("values", nargs="+")
    produce.set_defaults(act=_produce)
    consume = ways.add_parser("consume")
    consume.add_argument("group")
    consume.add_argument("topics", nargs="+")
    consume.set_defaults(act=_consume)
    offsets = ways.add_parser("offsets")
    offsets.add_argument("group")
    offsets.set_defaults(act=_offsets)
    return parser


if __name__ == "__main__":
    sys.exit(main())
