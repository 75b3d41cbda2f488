"""`make demo`: it starts, says the truth in demo.json, starts again quickly, and leaves nothing behind.

A demo takes a while to start, so the tests of this file share one and go in the order in which they stand.
"""

from __future__ import annotations

import os
import re
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from devtools.demo.programs import QUEUES
from devtools.kafka.ports import HOST
from devtools.kafka.waiting import comes_true
from tests.devtools.demo.running import Demo, started

pytestmark = [pytest.mark.server, pytest.mark.kafka, pytest.mark.celery_worker]

WHO_CAN = {"alice", "amir", "bob", "bora", "carol", "dave", "eve"}
# A first start fills the shop and plays the stories; a later one only starts processes.
QUICK_SECONDS = 60.0
INTERRUPTED_AT = "Starting web, worker, beat and the shop"
DEAD_END = "http://127.0.0.1:9"
PROGRAMS = {"kafka", "valkey", "web", "worker", "beat", "shop"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A demo that has filled its shop and played its stories, after a start that was interrupted, and behind a proxy that
    cannot reach this machine."""
    demo = Demo(tmp_path_factory.mktemp("demo"), http_proxy=DEAD_END, HTTP_PROXY=DEAD_END)
    demo.start_and_interrupt(INTERRUPTED_AT)
    with started(demo):
        yield demo


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def test_demo_json_says_where_it_is_and_who_can_sign_in(demo: Demo) -> None:
    facts = demo.facts()
    assert facts["url"] == f"http://localhost:{demo.web_port}"
    assert facts["bootstrap_servers"] == f"{HOST}:{demo.kafka_port}"
    assert facts["cluster"] == "demo"
    assert {one["name"] for one in facts["users"]} == WHO_CAN
    assert all(set(one) == {"name", "password", "role", "token"} for one in facts["users"])
    assert (demo.folder / "demo.json").stat().st_mode & 0o077 == 0, "tokens are nobody else's business"
    for one in facts["users"]:
        assert one["password"] in demo.text()


def test_every_token_is_its_person_and_the_shop_is_there(demo: Demo) -> None:
    facts = demo.facts()
    for name in WHO_CAN:
        assert demo.get("/me", demo.user(name)["token"])["username"] == name
    alice = demo.user("alice")["token"]
    assert [one["name"] for one in demo.get("/clusters", alice)["items"]] == [facts["cluster"]]
    states = Counter(one["state"] for one in demo.get("/requests", alice)["items"])
    once = {"planned": 1, "rejected": 1, "cancelled": 1, "plan_failed": 1, "applied": 2}
    assert once.items() <= states.items() and states.total() == 7, "each story was played once"
    assert all(one["group"].startswith(facts["team_prefix"]) for one in demo.get("/requests", alice)["items"])


def test_groups_are_seen_and_the_shop_moves(demo: Demo) -> None:
    alice = demo.user("alice")["token"]
    path = "/clusters/demo/groups?limit=200"
    names = {"billing", "billing-hello", "billing-ledger", "search-indexer"}
    seen = comes_true(lambda: names <= {one["group"] for one in demo.get(path, alice)["items"]}, limit=60, every=0.5)
    assert seen, "the sweeps see the groups"

    def committed() -> int:
        offsets = demo.get("/clusters/demo/groups/billing", alice)["offsets"]
        return sum(one["committed"] or 0 for one in offsets)

    before = committed()
    assert comes_true(lambda: committed() > before, limit=60, every=0.5), "the steady group reads on"


def test_the_reader_s_own_group_stands_at_the_end_and_no_request_names_it(demo: Demo) -> None:
    alice = demo.user("alice")["token"]
    (offset,) = demo.get("/clusters/demo/groups/billing-hello", alice)["offsets"]
    assert (offset["topic"], offset["committed"], offset["lag"]) == ("hello", 3, 0)
    assert demo.get("/requests?group=billing-hello", alice)["items"] == []


def test_idle_ticks_leave_no_line(demo: Demo) -> None:
    seen = comes_true(lambda: demo.log("worker").count("task=history.sweep") >= 2, limit=60, every=0.5)
    assert seen, "sweeps are told"
    assert not re.search(r"task_(started|succeeded) .*task=\S+\.tick", demo.log("worker"))
    assert "Sending due task" not in demo.log("beat")


def test_second_start_in_the_same_folder_is_refused(demo: Demo) -> None:
    again = Demo(demo.folder)
    again.start()
    assert again.child is not None
    assert again.child.wait() == 1
    assert "runs in" in again.text()
    assert demo.runs()


def test_taken_port_is_a_clear_error_and_starts_nothing(demo: Demo, tmp_path: Path) -> None:
    other = Demo(tmp_path, DEMO_PORT=str(demo.web_port))
    other.start()
    assert other.child is not None
    assert other.child.wait() == 1
    assert f"Port {demo.web_port} is taken" in other.text()
    assert "DEMO_PORT" in other.text()
    assert "Traceback" not in other.text()
    assert other.leaves_nothing()


def test_ctrl_c_leaves_no_process_and_the_next_start_is_quick_and_keeps_the_data(demo: Demo) -> None:
    alice = demo.user("alice")["token"]
    before = demo.get("/requests", alice)["items"]
    assert len(demo.processes()) > len(QUEUES.split(",")), "what is counted is there"
    assert demo.send(signal.SIGINT) == 0
    assert demo.leaves_nothing(), demo.processes()
    assert not any(map(_answers, (demo.web_port, demo.kafka_port, demo.valkey_port)))
    stopped = re.findall(r"stopped: (\w+)", demo.log("runner"))[-len(PROGRAMS) :]
    assert set(stopped) == PROGRAMS and set(stopped[-2:]) == {"kafka", "valkey"}, "what they need goes after them"
    assert [name for name in PROGRAMS if "Traceback" in demo.log(name)] == []

    assert demo.start() < QUICK_SECONDS
    assert "Filling" not in demo.text() and "Playing" not in demo.text()
    assert demo.user("alice")["token"] == alice, "a token that was told stays"
    after = demo.get("/requests", alice)["items"]
    assert [(one["id"], one["digest"]) for one in after] == [(one["id"], one["digest"]) for one in before]


def test_what_dies_is_started_again(demo: Demo) -> None:
    def beats() -> list[int]:
        return [pid for pid, command in demo.processes().items() if " beat " in command]

    assert comes_true(lambda: len(beats()) == 1, limit=30), demo.log("runner") + demo.log("beat")
    (beat,) = beats()

    os.kill(beat, signal.SIGKILL)

    assert comes_true(lambda: len(beats()) == 1 and beat not in beats(), limit=30), demo.log("runner")


def test_killed_runner_leaves_no_process_and_two_demos_do_not_meet(demo: Demo, tmp_path: Path) -> None:
    with started(Demo(tmp_path)) as other:
        assert other.facts()["bootstrap_servers"] != demo.facts()["bootstrap_servers"]
        assert other.get("/me", other.user("bob")["token"])["username"] == "bob"
        assert demo.get("/me", demo.user("bob")["token"])["username"] == "bob"
        assert other.cookies() and not other.cookies() & demo.cookies(), "a browser keeps both sign-ins"
        other.send(signal.SIGKILL)
        assert other.leaves_nothing(), other.processes()
        assert demo.get("/me", demo.user("bob")["token"])["username"] == "bob"
