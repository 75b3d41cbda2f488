"""`python -m devtools.bench.planner SERVERS GROUP PARTITIONS`: one fresh process that plans once and stores the plan.

It plans as for a request: the times of records are read around all targets. Prints JSON: the memory of the process
before and at its highest (MB), how long planning took and storing each time (seconds), and on how many partitions the
times were not read within the plan's limit.
The database is DATABASE_URL.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta

from devtools.bench import console, ways
from devtools.bench.big_groups import BigGroup
from devtools.bench.memory import highest_mb

TIMES = 5


@dataclass(frozen=True)
class Told:
    """What one such process tells."""

    database: str
    before_mb: float
    highest_mb: float
    planned_s: float
    untimed: int
    stored_s: list[float]


def run(bootstrap_servers: str, group: BigGroup, database_url: str) -> Told:
    """Start such a process and wait for what it tells."""
    arguments = [bootstrap_servers, group.name, *group.topics]
    ran = subprocess.run(
        [sys.executable, "-m", __name__, *arguments],
        env={**os.environ, "DATABASE_URL": database_url},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Told(**json.loads(ran.stdout))


def main(arguments: Sequence[str]) -> int:
    """Plan, then store the plan TIMES times, as a preview's."""
    servers, name, *topics = arguments
    group = BigGroup(name, tuple(topics))
    console.set_up(os.environ["DATABASE_URL"])
    from django.db import connection, transaction

    from kafkaconsole.resets import storing, tasks  # a worker has all of it loaded

    assert tasks.plan.name == "resets.plan"
    cluster = console.cluster(servers)
    before, began = highest_mb(), time.perf_counter()
    plan = ways.plan(cluster.pk, group, pause=timedelta(0))
    took, highest, stored = time.perf_counter() - began, highest_mb(), []
    untimed = sum(line.record_at is None or line.record_before_at is None for line in plan.lines)
    for _ in range(TIMES):
        began = time.perf_counter()
        with transaction.atomic():
            storing.store(plan, change=ways.change_of(group), request=None)
        stored.append(time.perf_counter() - began)
    told = Told(connection.vendor, before, max(highest, highest_mb()), took, untimed, stored)
    print(json.dumps(asdict(told)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
