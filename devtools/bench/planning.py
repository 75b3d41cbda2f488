"""How long a plan takes on a real broker, beside the bare client calls that it needs and beside Kafka's own tool.

`python -m devtools.bench.planning` starts a broker with a group on 1,000 partitions and one on 10,000, has each way work
out the same reset to a moment, in turns, and prints medians; 1 if a bound is broken (docs/performance.md).
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from devtools.bench import console, planner, ways
from devtools.bench.big_groups import BigGroup, big_groups
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.tools import Tools
from devtools.kafka.warm_tool import WarmTool
from devtools.servers.postgres import Postgres

SMALL, LARGE = 1_000, 10_000
TURNS = {SMALL: 15, LARGE: 5}
WARM_UP = 2
MOST_MEMORY_MB = 300

Seconds = Mapping[str, Sequence[float]]
"""Of each way, what it took in each turn."""

OURS, BARE, TOOL, WARM = "our plan", "bare client calls", "Kafka's tool", "Kafka's tool, warm"


@dataclass(frozen=True)
class Bound:
    """One figure that must hold: `found` at most `most`, or at least `least`."""

    what: str
    found: float
    most: float | None = None
    least: float | None = None

    @property
    def holds(self) -> bool:
        """Whether it does."""
        return (self.most is None or self.found <= self.most) and (self.least is None or self.found >= self.least)

    def __str__(self) -> str:
        limit = f"at most {self.most:g}" if self.least is None else f"at least {self.least:g}"
        return f"{self.what:64}{self.found:>9.2f}   {limit:14}{'' if self.holds else '  BROKEN'}"


def main() -> int:
    """Print the figures; 1 if one of them is not what it must be."""
    with tempfile.TemporaryDirectory() as folder, big_groups(SMALL, LARGE) as (kafka, (small, large)):
        console.set_up(console.sqlite(Path(folder)))
        seconds = {size: measured(kafka, group, TURNS[size]) for size, group in ((SMALL, small), (LARGE, large))}
        told = planned_afresh(kafka, large, Path(folder))
    print_seconds(seconds)
    print_storing(told, statistics.median(seconds[LARGE][OURS]))
    bounds = bounds_of(seconds[SMALL], seconds[LARGE], told)
    print(*bounds, sep="\n")
    return int(not all(bound.holds for bound in bounds))


def measured(kafka: LocalKafka, group: BigGroup, turns: int) -> Seconds:
    """Seconds of each way, asked in turns so that a busy moment of the machine meets all of them."""
    cluster = console.cluster(kafka.bootstrap_servers)
    took: dict[str, list[float]] = defaultdict(list)
    with WarmTool(kafka) as warm:
        asked: dict[str, Callable[[], object]] = {
            OURS: partial(ways.plan, cluster.pk, group),
            BARE: partial(ways.bare_calls, kafka, group),
            TOOL: partial(ways.kafkas_tool, Tools(kafka), group),
            WARM: partial(ways.kafkas_tool, warm, group),
        }
        for turn in range(WARM_UP + turns):
            for name, ask in asked.items():
                began = time.perf_counter()
                ask()
                if turn >= WARM_UP:
                    took[name].append(time.perf_counter() - began)
    return took


def ratio(seconds: Seconds, one: str, other: str) -> float:
    """The median of what one way took to what another took in the same turn."""
    return statistics.median(a / b for a, b in zip(seconds[one], seconds[other], strict=True))


def planned_afresh(kafka: LocalKafka, group: BigGroup, folder: Path) -> list[planner.Told]:
    """A fresh process each for SQLite and PostgreSQL."""
    with Postgres() as postgres:
        addresses = (f"sqlite:///{folder / 'fresh.sqlite3'}", postgres.url)
        return [planner.run(kafka.bootstrap_servers, group, address) for address in addresses]


def print_seconds(seconds: Mapping[int, Seconds]) -> None:
    """A row for each way: its median, and that of its ratio to our plan."""
    print(f"{'':24}" + "".join(f"{size:>12,} partitions   ratio" for size in seconds))
    for name in (OURS, BARE, TOOL, WARM):
        cells = [
            f"{statistics.median(some[name]):>21.3f} s {ratio(some, name, OURS):>7.2f}" for some in seconds.values()
        ]
        print(f"{name:24}" + "".join(cells))


def print_storing(told: list[planner.Told], planned: float) -> None:
    """Said separately: what a request's plan takes longer than a preview (`planned`, seconds), and the database's share."""
    for one in told:
        took = statistics.median(one.stored_s)
        late = f"{one.untimed:,} of them not within the limit" if one.untimed else "all of them"
        print(
            f"the plan of a request {one.planned_s:>16.3f} s {one.planned_s / planned:>7.2f} of a preview; times of {late}"
        )
        print(f"storing {LARGE:,} lines in {one.database:10} {took:>10.3f} s {took / planned:>7.2f} of planning them")


def bounds_of(small: Seconds, large: Seconds, told: list[planner.Told]) -> list[Bound]:
    """What must hold, the same as docs/performance.md says."""
    growth = statistics.median(large[OURS]) / statistics.median(small[OURS])
    return [
        Bound(f"our plan to the bare calls, {SMALL:,} partitions", ratio(small, OURS, BARE), most=1.5),
        Bound(f"our plan to the bare calls, {LARGE:,} partitions", ratio(large, OURS, BARE), most=1.5),
        Bound(f"Kafka's tool to our plan, {SMALL:,} partitions", ratio(small, TOOL, OURS), least=4),
        Bound(f"our plan, {LARGE:,} partitions to {SMALL:,}", growth, most=11),
        *(
            Bound(f"highest memory of a worker, {one.database} (MB)", one.highest_mb, most=MOST_MEMORY_MB)
            for one in told
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())
