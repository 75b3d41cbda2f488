"""A worker that is killed (SIGKILL, with its children) while it executes: the request ends with true results.

The broker is stopped (SIGSTOP) at the same moment, so that nothing in flight can end before the worker is dead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, LiteralString

import pytest

from devtools.kafka.tools import Tools
from devtools.kafka.waiting import comes_true
from tests.journeys.calling import Api
from tests.journeys.scenes import Scene, read_and_stopped
from tests.journeys.stack import Console

pytestmark = [pytest.mark.celery_worker, pytest.mark.database]

Script = Callable[[str], Api]
PARTITIONS = 40
EACH = ("m1", "m2")
LIMIT_SECONDS = 60.0
# The moment may pass before it is seen; then another request is made. One in a few is caught.
TRIES = 8

CLAIMED: LiteralString = "SELECT 1 FROM resets_attempt WHERE request_id = ?"
WRITE_BEGAN: LiteralString = "SELECT 1 FROM resets_attempt WHERE request_id = ? AND write_began_at IS NOT NULL"
STATE: LiteralString = "SELECT state FROM resets_resetrequest WHERE id = ?"


@pytest.fixture
def wide(console: Console, topic_name: str, group: str) -> Scene:
    """Many partitions, all read, so that executing takes a moment."""
    return read_and_stopped(console.kafka, topic_name, group, dict.fromkeys(range(PARTITIONS), EACH))


def _planned(api: Script, scene: Scene, offset: int) -> Any:
    change = {
        "cluster": "demo",
        "group": scene.group,
        "scope": {"all_committed": True},
        "strategy": {"kind": "to_offset", "offset": offset},
    }
    made = api("alice").post("/requests", {**change, "reason": "Read again"}).ok()
    return api("bob").wait(made["id"], until="planned")


def _kill_worker_when(console: Console, question: LiteralString, request: int) -> None:
    """Watch the database as closely as it goes; then the broker stops and the worker dies, in this order."""
    came = comes_true(lambda: bool(console.database.rows(question, request)), limit=LIMIT_SECONDS, every=0.0005)
    console.kafka.pause_node(1)
    console.kill_worker()
    assert came, "the execution never got so far"


def _caught(console: Console, api: Script, scene: Scene, question: LiteralString) -> int:
    """A request whose worker was killed while it was executing."""
    for number in range(TRIES):
        planned = _planned(api, scene, offset=number % 2)
        api("bob").post(f"/requests/{planned['id']}/approve", {"digest": planned["plan"]["digest"]}).ok()
        _kill_worker_when(console, question, planned["id"])
        if console.database.rows(STATE, planned["id"])[0][0] == "executing":
            return int(planned["id"])
        console.kafka.resume_node(1)
        console.start_process("worker")
        api("bob").wait(planned["id"], until="applied")
    raise AssertionError(f"In {TRIES} tries no worker was killed while its request was executing.")


@pytest.mark.parametrize("question", [CLAIMED, WRITE_BEGAN], ids=["before-the-write", "in-the-write"])
def test_request_ends_applied_and_says_what_is_true(
    question: LiteralString, mortal: Console, wide: Scene, api: Script
) -> None:
    request = _caught(mortal, api, wide, question)
    mortal.kafka.resume_node(1)
    mortal.start_process("worker")

    ended = api("alice").wait(request, until="applied")
    kafka_says = Tools(mortal.kafka).described_offsets(wide.group)
    told = {(one["topic"], one["partition"]): one["after"] for one in ended["attempts"][-1]["results"]}
    assert told == dict(kafka_says)
    assert ended["state"] == "applied", ended["problem"]
    assert told == {(line["topic"], line["partition"]): line["target"] for line in ended["plan"]["lines"]}
