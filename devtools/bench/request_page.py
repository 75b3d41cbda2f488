"""Server time of a request's page with a 10,000-line plan, beside the same with ten lines.

The history has measured the groups since, so that every line is compared with it; nothing has moved, which is what
costs most: no line is found early. One request was planned twice, one is carried out and followed.

`python -m devtools.bench.request_page` makes a database of its own, draws each page as an approver gets it, and prints
medians in milliseconds: on the wall, and in brackets what the process itself took of a processor, which says more where
others want it too.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from devtools.bench import console, long_requests

if TYPE_CHECKING:
    from django.test import Client

FEW, MANY = 10, 10_000
TIMES = 15
WARM_UP = 3
FIRST_PAINT_MS = 200
PAGES = {
    "first paint, planned": ("planned", ""),
    "first paint, planned again": ("planned again", ""),
    "first paint, carried out": ("applied", ""),
    "what has moved since": ("planned", "/since"),
    "last page": ("planned", "?page=9999"),
    "search by topic": ("planned", "?q=topic-07"),
    "search by partition": ("planned", "?q=topic-07-3"),
    "most read again first": ("planned", "?sort=replayed"),
    "most skipped first": ("planned", "?sort=skipped"),
    "live question": ("planned", "/live"),
}


class Took(NamedTuple):
    """Milliseconds of one answer, medians."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:.0f} ms ({self.cpu:.0f})"


def main() -> int:
    """Print the figures; 1 if a first paint of a long plan took longer than it may."""
    with tempfile.TemporaryDirectory() as folder:
        console.set_up(console.sqlite(Path(folder)))
        client = long_requests.approver()
        few, many = (long_requests.made(count) for count in (FEW, MANY))
        print(f"{'':28}{FEW:>10,} lines {MANY:>12,} lines      ratio")
        slowest = 0.0
        for name, (kind, query) in PAGES.items():
            short, long = (_took(client, f"/requests/{of[kind]}{query}") for of in (few, many))
            print(f"{name:28}{short!s:>16} {long!s:>18} {long.cpu / short.cpu:>10.2f}")
            slowest = max(slowest, long.wall) if name.startswith("first paint") else slowest
    print(f"slowest first paint of {MANY:,} lines: {slowest:.0f} ms of {FIRST_PAINT_MS} ms")
    return int(slowest > FIRST_PAINT_MS)


def _took(client: Client, address: str) -> Took:
    walls, cpus = [], []
    for turn in range(WARM_UP + TIMES):
        wall, cpu = time.perf_counter(), time.process_time()
        answer = client.get(address)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        if answer.status_code != 200:
            raise SystemExit(f"{address} answered {answer.status_code}")
        if turn >= WARM_UP:
            walls.append(wall)
            cpus.append(cpu)
    return Took(1000 * statistics.median(walls), 1000 * statistics.median(cpus))


if __name__ == "__main__":
    sys.exit(main())
