"""Two groups of one incident: asked for together, signed together, each by its own plan."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from devtools.kafka.members import GroupMember
from devtools.kafka.tools import Tools
from tests.journeys.browsing import LIMIT_MS, Visitor
from tests.journeys.scenes import HELLO, Scene
from tests.journeys.stack import Console

pytestmark = [pytest.mark.browser, pytest.mark.celery_worker]

Visit = Callable[[str], Visitor]


@pytest.fixture
def other(console: Console, hello: Scene, unique_name: Callable[[str], str]) -> str:
    """Another group of Billing that has read the same topic."""
    name = unique_name(f"{console.team_prefix}-mailers")
    with GroupMember(console.kafka, name, topics=[hello.topic]) as member:
        member.read(len(HELLO))
    return name


def asked_together(alice: Visitor, group: str, other: str) -> str:
    """Alice asks for both by one form; the address of the batch, whose page is open and shows both plans."""
    alice.name_group(group)
    alice.page.get_by_text("The same for other groups as well").click()
    alice.page.locator("[name=also_group]").first.fill(other)
    alice.choose("to_earliest", {})
    alice.page.locator("#id_reason").fill("Both read the wrong prices")
    alice.page.locator("#do-request").click()
    alice.page.wait_for_url(re.compile(r"/batches/\d+$"))
    expect(alice.page.locator("#batch [data-state=planned]")).to_have_count(2, timeout=LIMIT_MS)
    return alice.page.url


def test_batch_for_two_groups_is_approved_together(hello: Scene, other: str, visit: Visit) -> None:
    alice, bob = visit("alice"), visit("bob")
    address = asked_together(alice, hello.group, other)
    assert alice.page.locator("[name=sign]").count() == 0, "whoever asks does not sign"

    bob.page.goto(address)
    for box in bob.page.locator("[name=sign]").all():
        box.check()
    bob.page.locator("#batch-comment").fill("Both plans checked.")
    bob.page.get_by_role("button", name="Approve the chosen plans").click()
    expect(bob.page.locator(".messages .notice")).to_have_count(2, timeout=LIMIT_MS)
    expect(bob.page.locator("#batch [data-state=applied]")).to_have_count(2, timeout=LIMIT_MS)
    expect(alice.page.locator("#batch [data-state=applied]")).to_have_count(2, timeout=LIMIT_MS)

    for name in (hello.group, other):
        assert Tools(hello.kafka).described_offsets(name) == {(hello.topic, 0): 0}
    assert hello.read(len(HELLO)) == list(HELLO)


def test_one_of_two_is_signed_alone_and_the_other_waits(hello: Scene, other: str, visit: Visit) -> None:
    alice, bob = visit("alice"), visit("bob")
    address = asked_together(alice, hello.group, other)

    bob.page.goto(address)
    bob.page.locator("article").filter(has_text=other).locator("[name=sign]").check()
    bob.page.get_by_role("button", name="Approve the chosen plans").click()
    expect(bob.page.locator("#batch [data-state=applied]")).to_have_count(1, timeout=LIMIT_MS)
    expect(bob.page.locator("#batch [data-state=planned]")).to_have_count(1, timeout=LIMIT_MS)
    assert Tools(hello.kafka).described_offsets(other) == {(hello.topic, 0): 0}
    assert Tools(hello.kafka).described_offsets(hello.group) == {(hello.topic, 0): 3}
