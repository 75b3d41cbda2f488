"""Where a group has been, in the browser: the chart draws, moves and leads on; a cluster is tested; keys do what the mouse does."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.browsing import PlanRow, Visitor
from tests.journeys.scenes import Scene

pytestmark = [pytest.mark.browser, pytest.mark.celery_worker]

Visit = Callable[[str], Visitor]
SWEPT_MS = 60_000


def _open_when_swept(page: Page, cluster: str, group: str) -> None:
    """Open the group's page once a sweep has seen it; the list of groups comes to show it by itself."""
    page.goto(f"/groups?search={group}")
    expect(page.locator(f'#groups-table a[href="/groups/{cluster}/{group}"]')).to_be_visible(timeout=SWEPT_MS)
    page.goto(f"/groups/{cluster}/{group}")
    expect(page.locator("[data-plots] .u-over")).to_have_count(2)


def _applied(alice: Visitor, bob: Visitor, group: str) -> int:
    alice.name_group(group)
    alice.choose("to_earliest", {})
    request = alice.ask("Read again, the parser was wrong")
    bob.open_from_inbox(request)
    bob.approve()
    bob.wait_for_state("applied")
    return request


def test_reset_stands_in_the_chart_and_leads_to_its_request(hello: Scene, visit: Visit) -> None:
    alice, bob = visit("alice"), visit("bob")
    _open_when_swept(alice.page, alice.console.cluster, hello.group)
    request = _applied(visit("alice"), bob, hello.group)

    marker = alice.page.locator(".reset-marker")
    expect(marker).to_be_visible(timeout=SWEPT_MS)  # the page itself asks again
    expect(marker).to_have_attribute("href", f"/requests/{request}")
    expect(alice.page.locator("#standing")).to_contain_text("0", timeout=SWEPT_MS)
    marker.click()
    alice.page.wait_for_url(f"**/requests/{request}")


def _moment_at_the_end(page: Page) -> str:
    """Move the chart's cursor to its end with the keys; the moment that the line below then names."""
    page.locator("[data-plots]").focus()
    page.keyboard.press("End")
    readout = page.locator("[data-readout]")
    expect(readout).to_contain_text(re.compile(r"committed\s*3"))
    expect(readout).to_contain_text(re.compile(r"lag\s*0"))
    return str(readout.locator("time").get_attribute("datetime"))


def test_keys_move_through_the_chart_and_ask_for_a_reset_to_this_time(hello: Scene, visit: Visit) -> None:
    alice = visit("alice")
    _open_when_swept(alice.page, alice.console.cluster, hello.group)
    moment = _moment_at_the_end(alice.page)
    alice.page.get_by_role("link", name="Ask for a reset to here").click()
    expect(alice.page.locator("input[name=kind][value=to_datetime]")).to_be_checked()
    expect(alice.page.locator("[name=datetime]")).to_have_value(moment)
    expect(alice.page.locator("#id_group")).to_have_value(hello.group)


def test_group_is_put_back_to_where_the_chart_shows_it(hello: Scene, visit: Visit) -> None:
    alice = visit("alice")
    _open_when_swept(alice.page, alice.console.cluster, hello.group)
    moment = _moment_at_the_end(alice.page)
    alice.page.get_by_role("link", name="Put it back to here").click()
    expect(alice.page.locator("input[name=kind][value=restore]")).to_be_checked()
    expect(alice.page.locator("input[name=restore_from][value=history]")).to_be_checked()
    expect(alice.page.locator("[name=datetime]")).to_have_value(moment)

    hello.write("m4", "m5")
    hello.read(2)
    assert alice.show_plan() == [PlanRow(f"{hello.topic}-0", 5, 3, replayed=2, skipped=0)]


def test_table_and_file_hold_the_same_numbers(hello: Scene, visit: Visit) -> None:
    alice = visit("alice")
    _open_when_swept(alice.page, alice.console.cluster, hello.group)
    alice.page.get_by_role("link", name="Table").click()
    first = alice.page.locator("#history-table tbody tr").first
    expect(first.locator("td").nth(0)).to_have_text("3")
    with alice.page.expect_download() as download:
        alice.page.get_by_role("link", name="CSV").click()
    lines = download.value.path().read_text().splitlines()
    assert lines[0].startswith("at,topic,partition,measured,committed")
    assert lines[-1].split(",")[4:8] == ["3", "0", "3", "0"]


def test_connection_test_is_followed_to_its_end(visit: Visit) -> None:
    carol = visit("carol")
    carol.page.goto(f"/clusters/{carol.console.cluster}/")
    carol.page.get_by_role("button", name="Test now").click()
    expect(carol.page.locator("#test")).to_contain_text("every right it needs", timeout=SWEPT_MS)
    expect(carol.page.locator("#test .rights")).to_contain_text("committing offsets, that is every reset")


def test_wrong_address_says_what_to_look_at(visit: Visit) -> None:
    carol = visit("carol")
    carol.page.goto("/clusters/new")
    carol.page.get_by_label("Name", exact=True).fill("Nowhere")
    carol.page.get_by_label("Name in addresses").fill("nowhere")
    carol.page.get_by_label("Bootstrap servers").fill("127.0.0.1:1")
    carol.page.get_by_role("button", name="Add and test").click()
    expect(carol.page.locator("#test .notice")).to_contain_text("Nothing listens at the address", timeout=SWEPT_MS)
    expect(carol.page.locator("#cluster-health")).to_contain_text("Does not answer")
    carol.page.get_by_role("button", name="Remove from the console").click()
    carol.page.get_by_role("button", name="Remove it").click()
    expect(carol.page.get_by_text("Nowhere is removed.")).to_be_visible()
