"""What a real worker writes while nothing happens but the clock, one cluster is away, and one call asks for something."""

from __future__ import annotations

import re
from collections.abc import Callable

import structlog

from devtools.kafka.ports import free_ports
from devtools.kafka.waiting import comes_true
from kafkaconsole.celery import app
from kafkaconsole.clusters.models import Cluster
from tests.factories import make_cluster
from tests.workers import Worker

REQUEST_ID = "the-call-that-asked"
LIMIT_SECONDS = 90.0


def cluster_that_is_away() -> Cluster:
    """Nothing listens where it should be."""
    (port,) = free_ports(1)
    return make_cluster(bootstrap_servers=f"127.0.0.1:{port}", security_protocol="PLAINTEXT")


def test_a_worker_writes_a_line_for_each_failed_attempt_and_none_for_its_clock(
    start_worker: Callable[..., Worker],
) -> None:
    cluster_that_is_away()
    worker = start_worker(SWEEP_INTERVAL_S="5")
    ready = len(worker.log())

    def failed_sweeps() -> int:
        return worker.log().count("A sweep failed")

    assert comes_true(lambda: failed_sweeps() >= 2, limit=LIMIT_SECONDS), worker.log()[ready:]
    with structlog.contextvars.bound_contextvars(request_id=REQUEST_ID):
        app.send_task("accounts.tidy")
    assert comes_true(lambda: "task=accounts.tidy" in _ends(worker), limit=LIMIT_SECONDS), worker.log()[ready:]
    worker.stop()

    log = worker.log()[ready:]
    assert "kafka.net" not in log
    assert not re.search(r"task_(?:started|succeeded) .*task=\S+\.tick", log), log
    assert log.count("child_task_name=audit.check") == 1, "a message that a task sends is told once"
    assert 0 <= log.count("No connection to Kafka") - failed_sweeps() <= 1, log
    assert len(re.findall(rf"task_(?:started|succeeded) .*request_id={REQUEST_ID}", log)) == 2, log
    # Three for each sweep: the connection, the sweep, the end of its task; besides, one that is being swept at the end.
    assert len(log.splitlines()) <= 3 * failed_sweeps() + 12, log


def _ends(worker: Worker) -> str:
    return "\n".join(line for line in worker.log().splitlines() if "task_succeeded" in line)
