"""Both stories through the HTTP API, as scripts play them: Alice's token asks, Bob's approves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from devtools.kafka.tools import Tools
from tests.journeys.calling import Api
from tests.journeys.scenes import BETWEEN, HELLO, Scene, read_and_stopped
from tests.journeys.stack import Console

pytestmark = [pytest.mark.celery_worker, pytest.mark.database]

Script = Callable[[str], Api]
# The group has committed 3 of 3; m2 was written ten minutes after m1, m3 ten after m2, ten minutes ago.
STRATEGIES: dict[str, tuple[dict[str, object], int]] = {
    "to_earliest": ({}, 0),
    "to_offset": ({"offset": 1}, 1),
    "shift_by": ({"by": -2}, 1),
    "to_current": ({}, 3),
    "by_duration": ({"duration": "PT15M"}, 2),
    "to_datetime": ({}, 1),
    "to_latest": ({}, 3),
}


def _signed_and_applied(api: Script, change: Mapping[str, object]) -> Any:
    """Ask, wait for the plan, sign its digest, wait until it is applied; the request with its plan."""
    made = api("alice").post("/requests", {**change, "reason": "Read again, the parser was wrong"}).ok()
    planned = api("bob").wait(made["id"], until="planned")
    assert planned["state"] == "planned", planned["problem"]
    api("bob").post(f"/requests/{made['id']}/approve", {"digest": planned["plan"]["digest"], "comment": ""}).ok()
    applied = api("alice").wait(made["id"], until="applied")
    assert applied["state"] == "applied", applied["problem"]
    return applied


@pytest.mark.parametrize("kind", STRATEGIES)
def test_group_reads_what_the_signed_plan_said(kind: str, hello: Scene, console: Console, api: Script) -> None:
    fields, target = STRATEGIES[kind]
    if kind == "to_datetime":
        fields = {"datetime": (hello.written_at(target) - BETWEEN / 2).isoformat()}
    change = {
        "cluster": console.cluster,
        "group": hello.group,
        "scope": {"topics": [{"topic": hello.topic}]},
        "strategy": {"kind": kind, **fields},
    }
    applied = _signed_and_applied(api, change)

    (line,) = applied["plan"]["lines"]
    assert (line["committed"], line["target"], line["replayed"], line["skipped"]) == (3, target, 3 - target, 0)
    (result,) = applied["attempts"][-1]["results"]
    assert (result["before"], result["target"], result["after"], result["state"]) == (3, target, target, "done")
    assert Tools(hello.kafka).described_offsets(hello.group) == {(hello.topic, 0): target}
    hello.write("m4")
    reads = [*HELLO[target:], "m4"]
    assert hello.read(len(reads)) == reads


def test_each_partition_gets_its_own_offset_from_a_file(
    console: Console, topic_name: str, group: str, api: Script
) -> None:
    scene = read_and_stopped(console.kafka, topic_name, group, {0: ["a0", "a1"], 1: ["b0", "b1", "b2"]})
    change = {"cluster": console.cluster, "group": group}
    bad = {"kind": "from_file", "csv": "0,1\n1,two\n", "topic": topic_name}
    refusal = api("alice").post("/requests", {**change, "strategy": bad, "reason": "From the backup"})
    assert refusal.status in (400, 422)
    assert refusal.content_type == "application/problem+json"
    assert "line 2" in refusal.text.lower()

    applied = _signed_and_applied(api, {**change, "strategy": bad | {"csv": "0,1\n1,0\n"}})
    assert [(line["partition"], line["target"]) for line in applied["plan"]["lines"]] == [(0, 1), (1, 0)]
    assert Tools(scene.kafka).described_offsets(group) == {(topic_name, 0): 1, (topic_name, 1): 0}


def test_preview_shows_the_plan_and_writes_nothing(hello: Scene, console: Console, api: Script) -> None:
    change = {
        "cluster": console.cluster,
        "group": hello.group,
        "scope": {"all_committed": True},
        "strategy": {"kind": "to_earliest"},
    }
    made = api("alice").post("/previews", change).ok()
    preview = api("alice").get(f"/previews/{made['id']}?wait_s=20").ok()
    assert preview["state"] == "planned"
    assert preview["plan"]["totals"] == {"partitions": 1, "changed": 1, "replayed": 3, "skipped": 0}
    assert Tools(hello.kafka).described_offsets(hello.group) == {(hello.topic, 0): 3}
