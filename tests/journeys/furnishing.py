"""Rows for every page: two groups that a sweep has seen, requests in several states, a batch, and looks at records."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import expect

from tests.journeys.browsing import LIMIT_MS, Visitor
from tests.journeys.calling import Api
from tests.journeys.scenes import Scene, read_and_stopped
from tests.journeys.stack import Console

RECORDS = {0: ('{"order": 17, "total": 12.5}', "plain text", "한글 \u0001"), 1: ("m1",)}
EVERYTHING = {"scope": {"all_committed": True}}


@dataclass(frozen=True)
class Furnished:
    """What the pages show: numbers of rows, and the names of a group and its topic."""

    group: str
    topic: str
    claim: int
    planned: int
    applied: int
    plan_failed: int
    preview: str
    batch: int
    looks: tuple[int, int]
    policy: int
    channel: int
    service: str


def furnish(console: Console, alice: Visitor, carol: Visitor) -> Furnished:
    """Alice asks, Bob approves one, Carol adds a channel; by the API, and by the pages for what only they offer."""
    scene, other = (_scene(console, kind) for kind in ("shown", "other"))
    asking = Asking(console, scene)
    applied, plan_failed = asking.ask(EVERYTHING), asking.ask({"scope": {"topics": [{"topic": f"{scene.topic}x"}]}})
    asking.apply(applied)
    assert asking.alice.wait(plan_failed, until="plan_failed")["state"] == "plan_failed"
    planned = asking.ask(EVERYTHING)
    asking.alice.wait(planned, until="planned")
    batch = asking.batch(other.group)
    console.wait_for_sweep(scene.group)
    looks = (_look_at_plan(alice, planned, scene), _look_to_skip(alice, console, scene))
    ((policy,),) = console.database.rows("SELECT id FROM approvals_policy WHERE is_builtin")
    parts = (
        planned,
        applied,
        plan_failed,
        asking.preview(),
        batch,
        looks,
        int(str(policy)),
        _channel(carol),
        _service(carol),
    )
    return Furnished(scene.group, scene.topic, asking.claim(), *parts)


def _channel(carol: Visitor) -> int:
    """The number of a channel that no message has gone to."""
    page = carol.page
    page.goto("/channels/new")
    page.get_by_label("Name", exact=True).fill("Billing’s room")
    page.get_by_label("Kind").select_option("slack")
    page.get_by_label("Address").fill("https://hooks.example.com/services/one")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Billing’s room", level=1)).to_be_visible(timeout=LIMIT_MS)
    return int(page.url.rstrip("/").rpartition("/")[2])


def _service(carol: Visitor) -> str:
    """The user name of a service account."""
    page = carol.page
    page.goto("/services")
    page.get_by_label("User name").fill("nightly")
    page.get_by_label("What it does").fill("Nightly check")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Nightly check", level=1)).to_be_visible(timeout=LIMIT_MS)
    return "nightly"


class Asking:
    """Alice's and Bob's calls about one group."""

    def __init__(self, console: Console, scene: Scene) -> None:
        self.alice, self.bob = (Api(console.url, console.people[name]) for name in ("alice", "bob"))
        self.change = {"cluster": console.cluster, "group": scene.group, "strategy": {"kind": "to_earliest"}}

    def ask(self, scope: Mapping[str, Any]) -> int:
        """The number of a new request."""
        body = {**self.change, **scope, "reason": "Read again, the parser was wrong"}
        return int(self.alice.post("/requests", body).ok()["id"])

    def apply(self, request: int) -> None:
        """Have it signed and carried out."""
        digest = self.bob.wait(request, until="planned")["digest"]
        self.bob.post(f"/requests/{request}/approve", {"digest": digest, "comment": "Checked."}).ok()
        assert self.alice.wait(request, until="applied")["state"] == "applied"

    def batch(self, other_group: str) -> int:
        """The number of a batch for the group and another one, all of it planned."""
        changes = [{**self.change, **EVERYTHING, "group": name} for name in (self.change["group"], other_group)]
        made = self.alice.post("/batches", {"changes": changes, "reason": "Wrong prices since nine"}).ok()
        for row in made["requests"]:
            self.alice.wait(row["id"], until="planned")
        return int(made["id"])

    def claim(self) -> int:
        """The number of a claim that waits for an answer."""
        body = {"cluster": self.change["cluster"], "group": f"nobody-{uuid.uuid4().hex[:8]}", "team": "billing"}
        return int(self.alice.post("/claims", {**body, "reason": "We run it since spring"}).ok()["id"])

    def preview(self) -> str:
        """The id of a preview that is ready."""
        made = str(self.alice.post("/previews", {**self.change, **EVERYTHING}).ok()["id"])
        self.alice.get(f"/previews/{made}?wait_s=20").ok()
        return made


def _scene(console: Console, kind: str) -> Scene:
    name = f"{kind}.{uuid.uuid4().hex[:8]}"
    return read_and_stopped(console.kafka, f"topic.{name}", f"{console.team_prefix}-{name}", RECORDS)


def _look_at_plan(alice: Visitor, request: int, scene: Scene) -> int:
    alice.page.goto(f"/looks/new?request={request}&topic={scene.topic}&partition=0&offset=0&before=3&after=5")
    return _looked(alice)


def _look_to_skip(alice: Visitor, console: Console, scene: Scene) -> int:
    alice.page.goto(f"/skip-one?cluster={console.cluster}&group={scene.group}&place={scene.topic}:0")
    return _looked(alice)


def _looked(alice: Visitor) -> int:
    """The number of the look that the open page's form asks for, from the links of its records."""
    views = alice.page.locator(".look-bar a")
    if alice.page.locator("form.look-form[hx-trigger='submit']").count():
        alice.page.get_by_role("button", name="Look", exact=True).click()
    expect(views.first).to_be_visible(timeout=LIMIT_MS)
    return int(re.findall(r"/looks/(\d+)", str(views.first.get_attribute("href")))[0])
