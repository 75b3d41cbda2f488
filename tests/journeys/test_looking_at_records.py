"""Records around a plan's target, as an approver looks at them, and the one record that a group cannot digest."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from devtools.kafka.tools import Tools
from tests.journeys.browsing import LIMIT_MS, PlanRow, Visitor
from tests.journeys.scenes import Scene, read_and_stopped
from tests.journeys.stack import Console

pytestmark = [pytest.mark.browser, pytest.mark.celery_worker]

Visit = Callable[[str], Visitor]
# Six orders; the fourth is the one that the plan begins with.
ORDERS = tuple(f'{{"order": {number}, "total": {{"amount": {number}.5}}}}' for number in range(6))


@pytest.fixture
def orders(console: Console, topic_name: str, group: str) -> Scene:
    """A partition of orders, which the group has read."""
    return read_and_stopped(console.kafka, topic_name, group, {0: ORDERS})


@pytest.fixture
def stuck(console: Console, topic_name: str, group: str) -> Scene:
    """The group has read two partitions; on the first it stands before what it cannot digest."""
    scene = read_and_stopped(console.kafka, topic_name, group, {0: ORDERS, 1: ("alone",)})
    scene.write("cannot be digested", "the next one")
    scene.write("waits on the other partition", partition=1)
    console.wait_for_sweep(group)
    return scene


def offsets(part: Locator) -> list[str]:
    """The offsets of the records shown."""
    return part.locator(".records .record-head > b").all_inner_texts()


def show_as(page: Page, view: str) -> None:
    """Choose how contents are shown; return when they are."""
    link = page.locator("#look .look-bar").get_by_role("link", name=view, exact=True)
    link.click()
    expect(page.locator("#look .look-bar a[aria-current]")).to_have_text(view)


def test_records_around_the_target_are_looked_at_from_the_plan(orders: Scene, visit: Visit) -> None:
    alice, bob = visit("alice"), visit("bob")
    alice.name_group(orders.group)
    alice.choose("to_offset", {"offset": "3"})
    request = alice.ask("From the fourth order on")

    bob.open_from_inbox(request)
    row = bob.page.locator("#plan table.lines tbody tr").filter(has_text=f"{orders.topic}-0")
    row.get_by_role("link", name="Look").click()
    look = bob.page.locator("#look")
    expect(look.locator(".records > li")).to_have_count(6, timeout=LIMIT_MS)
    assert offsets(look) == ["0", "1", "2", "3", "4", "5"], "three before the target, the target, and what follows"
    expect(look.locator(".records > li.here")).to_contain_text("the offset asked for")
    assert offsets(look.locator(".look-body"))[3] == look.locator("li.here .record-head > b").inner_text() == "3"

    show_as(bob.page, "Text")
    assert look.locator("li.here pre.text").inner_text() == ORDERS[3]
    show_as(bob.page, "JSON")
    expect(look.locator("li.here .json")).to_contain_text(re.compile(r"order\s*3"))
    show_as(bob.page, "Hex")
    expect(look.locator("li.here pre.hex")).to_contain_text("7b 22 6f 72 64 65 72 22")

    look.get_by_label("Records before it").fill("1")
    look.get_by_label("Records from it on").fill("2")
    look.get_by_role("button", name="Look", exact=True).click()
    expect(look.locator(".records > li")).to_have_count(3, timeout=LIMIT_MS)
    assert offsets(look) == ["2", "3", "4"]
    look.get_by_role("button", name="Close").click()
    bob.approve()
    bob.wait_for_state("applied")
    assert Tools(orders.kafka).described_offsets(orders.group)[(orders.topic, 0)] == 3


def test_one_record_is_skipped_and_nothing_else_moves(stuck: Scene, visit: Visit) -> None:
    alice, bob = visit("alice"), visit("bob")
    alice.page.goto(f"/groups/{alice.console.cluster}/{stuck.group}")
    place = alice.page.locator("#standing tbody tr").filter(has_text=f"{stuck.topic}-0")
    place.get_by_role("link", name="Skip one record").click()

    bad = alice.page.locator(".records > li").filter(has_text="the next for the group")
    expect(bad).to_contain_text("cannot be digested", timeout=LIMIT_MS)
    expect(alice.page.locator(".skip")).to_contain_text("past it, it goes on at 7")
    alice.page.get_by_role("button", name="Show the plan that skips this one").click()
    expect(alice.page.locator("#preview table.lines")).to_be_visible(timeout=LIMIT_MS)
    skipping = [PlanRow(f"{stuck.topic}-0", 6, 7, replayed=0, skipped=1)]
    request = alice.ask("Skip the record that breaks the parser")
    assert alice.plan() == skipping

    bob.open_from_inbox(request)
    assert bob.plan() == skipping
    bob.approve()
    bob.wait_for_state("applied")
    assert Tools(stuck.kafka).described_offsets(stuck.group) == {(stuck.topic, 0): 7, (stuck.topic, 1): 1}
    assert sorted(stuck.read(2)) == ["the next one", "waits on the other partition"]
