"""`python -m devtools.bench.planner SERVERS GROUP PARTITIONS`: one fresh process that plans once and stores the plan.

Prints JSON: the memory of the process before and at its highest (MB), and how long storing took each time (seconds).
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
    before = highest_mb()
    plan = ways.plan(cluster.pk, group)
    highest, stored = highest_mb(), []
    for _ in range(TIMES):
        began = time.perf_counter()
        with transaction.atomic():
            storing.store(plan, change=ways.change_of(group), request=None)
        stored.append(time.perf_counter() - began)
    told = Told(connection.vendor, before, max(highest, highest_mb()), stored)
    print(json.dumps(asdict(told)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
