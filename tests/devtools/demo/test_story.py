"""The stories, interrupted after every single act: each is played once all the same, by a real worker on a real Kafka."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from devtools.demo import cast, goods, story
from devtools.demo.layout import ROOT, DemoRefused, Layout, Ports
from devtools.demo.steps import Steps
from devtools.kafka.cluster import LocalKafka
from devtools.kafka.processes import start_bound
from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import actions as cluster_actions
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.groups import actions as group_actions
from kafkaconsole.groups.models import OwnershipRule
from kafkaconsole.resets import actions as reset_actions
from kafkaconsole.resets.models import Approval, Comment, ResetRequest
from kafkaconsole.teams.models import Membership
from tests.workers import Worker

pytestmark = [pytest.mark.kafka, pytest.mark.django_db(transaction=True)]


class Interrupted(BaseException):
    """Ctrl-C."""


class BreaksAfterEachAct:
    """The product's actions, as a module is used; each is done, and then the demo is interrupted."""

    def __init__(self, module: Any, told: list[str]) -> None:
        self._module, self._told = module, told

    def __getattr__(self, name: str) -> Callable[..., None]:
        def act(**facts: Any) -> None:
            getattr(self._module, name)(**facts)
            self._told.append(name)
            raise Interrupted

        return act


@pytest.fixture
def layout(tmp_path: Path) -> Iterator[Layout]:
    """A demo's folder and its broker, stocked, with the shop at work."""
    with LocalKafka() as kafka:
        running, steps = goods.RunningKafka(kafka.bootstrap_servers), Steps(tmp_path)
        for topic in goods.due(running, steps):
            goods.stock(running, topic, steps)
        story.read_and_stop(running, steps)
        shop = start_bound(
            [sys.executable, "-m", "devtools.demo.shop", kafka.bootstrap_servers],
            output=subprocess.DEVNULL,
            folder=ROOT,
        )
        port = int(kafka.bootstrap_servers.rpartition(":")[2])
        yield Layout(tmp_path, Ports(web=1, kafka=port, valkey=2))
        shop.terminate()
        shop.wait()


def _fill(layout: Layout) -> None:
    cast.gather_people()
    cast.register_cluster(layout)
    story.tell()
    cast.announce(layout)


def test_stories_that_are_interrupted_after_every_act_end_as_if_nothing_had_been(
    layout: Layout, start_worker: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = start_worker()
    acts: list[str] = []
    monkeypatch.setattr(story, "actions", BreaksAfterEachAct(reset_actions, acts))
    monkeypatch.setattr(cast, "cluster_actions", BreaksAfterEachAct(cluster_actions, acts))
    monkeypatch.setattr(cast, "group_actions", BreaksAfterEachAct(group_actions, acts))
    for _ in range(60):
        try:
            _fill(layout)
        except Interrupted:
            continue
        except DemoRefused as error:
            pytest.fail(f"{error}\n{worker.log()}")
        break

    assert sorted(acts) == sorted(
        ["add", *["add_ownership"] * 2, *["request"] * 7, *["approve"] * 3, "reject", "cancel", *["comment"] * 2]
    )
    states = [(one.group_name, one.state) for one in ResetRequest.objects.order_by("pk")]
    assert states == [
        ("billing-parser", "applied"),
        ("billing-invoices", "applied"),
        ("billing-reports", states[2][1]),
        ("billing-nightly", "rejected"),
        ("billing-nightly", "plan_failed"),
        ("billing-parser", "cancelled"),
        ("billing-nightly", "planned"),
    ]
    assert states[2][1] in {"waiting", "stale"}
    assert [model.objects.count() for model in (User, Membership, Cluster, OwnershipRule)] == [7, 5, 1, 2]
    assert Approval.objects.count() == 4, "three signatures and the rejection"
    assert Comment.objects.count() == len({(one.request_id, one.text) for one in Comment.objects.all()})


def test_people_are_made_all_or_none(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(self: User, password: str) -> None:
        if self.username == "carol":
            raise Interrupted

    monkeypatch.setattr(User, "set_password", break_off)
    with pytest.raises(Interrupted):
        cast.gather_people()
    assert not User.objects.filter(username__in=[one.username for one in cast.PEOPLE]).exists()


def test_a_summary_that_was_interrupted_leaves_the_one_before(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = Layout(tmp_path, Ports(web=1, kafka=2, valkey=3))
    cast.gather_people()
    cast.announce(layout)
    before = layout.summary.read_text()

    def break_off(self: Path, text: str) -> int:
        with self.open("w") as half:
            half.write(text[: len(text) // 2])
        raise Interrupted

    monkeypatch.setattr(Path, "write_text", break_off)
    with pytest.raises(Interrupted):
        cast.announce(layout)
    assert layout.summary.read_text() == before
