"""`python -m devtools.kafka.run --folder F --port P`: one local Kafka in the foreground, for a process runner.

SIGTERM and Ctrl-C stop the broker cleanly (exit code 0). If the broker itself ends, so does this, with exit code 1.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from devtools.kafka.cluster import LocalKafka
from devtools.kafka.errors import LocalKafkaError

_LOOK_EVERY_SECONDS = 0.5


class _Stopped(BaseException):
    """Raised by the signal, so that a start in progress is cleaned up too."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until stopped; see the module's text for the exit codes."""
    wanted = _parser().parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    try:
        with LocalKafka(nodes=wanted.nodes, security=wanted.security, folder=wanted.folder, port=wanted.port) as kafka:
            print(f"Kafka serves at {kafka.bootstrap_servers}, its data is in {kafka.folder}.", flush=True)
            return _watch(kafka)
    except _Stopped:
        return 0
    except LocalKafkaError as error:
        print(error, file=sys.stderr, flush=True)
        return 1


def _watch(kafka: LocalKafka) -> int:
    """Return 1 when a node ended by itself."""
    pause = threading.Event()
    while True:
        for node in kafka.nodes:
            if not node.is_running:
                print(
                    f"Kafka node {node.number} ended. The end of its log:\n{node.log_tail()}",
                    file=sys.stderr,
                    flush=True,
                )
                return 1
        pause.wait(_LOOK_EVERY_SECONDS)


def _stop(_number: int, _frame: FrameType | None) -> None:
    # A second signal must not break the stopping.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    raise _Stopped


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m devtools.kafka.run", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="keeps the data; made if missing")
    parser.add_argument("--port", type=int, required=True, help="of the (first) broker")
    parser.add_argument("--nodes", type=int, choices=(1, 3), default=1)
    parser.add_argument("--security", choices=("plain", "secure", "tls"), default="plain")
    return parser


if __name__ == "__main__":
    sys.exit(main())
