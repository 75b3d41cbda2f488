"""Every page in a real browser: nothing goes wrong on it, everyone can read and use it, and it fits a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.journeys.browsing import DESK, Visitor
from tests.journeys.conftest import signed_in
from tests.journeys.furnishing import Furnished, furnish
from tests.journeys.stack import Console

pytestmark = [pytest.mark.browser, pytest.mark.celery_worker]

PHONE = {"width": 390, "height": 844}
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
LOOK_VIEWS = ("?view=text", "?view=json", "?view=hex")
# Parts that a page asks for by itself have come, and its charts are drawn.
AT_REST = """() => document.readyState === "complete" && !document.querySelector(".htmx-request")
  && [...document.querySelectorAll("[data-plots]")].every((one) => one.childElementCount > 0)"""
# What a page loads by itself, files, and what only takes a POST; everything else is a page and is looked at below.
NO_PAGES = {
    "audit-csv",
    "audit-jsonl",
    "audit-verify",
    "batch-approve",
    "channel-remove",
    "channel-test",
    "claim-grant",
    "claim-reject",
    "claim-withdraw",
    "cluster-remove",
    "cluster-test",
    "delivery-again",
    "group-history-csv",
    "group-history-data",
    "group-history-table",
    "healthz",
    "look-ask",
    "moment",
    "notifications-test",
    "ownership-remove",
    "policy-confirm",
    "policy-decline",
    "policy-off",
    "people-factors",
    "people-new",
    "people-password",
    "people-sessions-end",
    "records-ask",
    "records-cancel",
    "records-download",
    "request-approve",
    "request-cancel",
    "away-end",
    "request-comment",
    "request-live",
    "request-plan-csv",
    "request-reject",
    "request-replan",
    "request-since",
    "request-glass",
    "request-undo",
    "request-windows",
    "request-withdraw",
    "service-switch",
    "service-token-new",
    "service-token-revoke",
    "services-new",
    "sessions-end",
    "sessions-end-others",
    "set_language",
    "team-member-remove",
    "team-remove",
    "token-new",
    "token-revoke",
}
ALICE, BOB, CAROL = "alice", "bob", "carol"


@pytest.fixture(scope="module")
def furnished(console: Console, chromium: Browser, sessions: dict[str, StorageState]) -> Furnished:
    """Rows for every page, made once by what the product offers."""
    with (
        signed_in(chromium, console, sessions, ALICE) as alice,
        signed_in(chromium, console, sessions, CAROL) as carol,
    ):
        return furnish(console, alice, carol)


def addresses(name: str, console: Console, made: Furnished) -> list[str]:
    """Where a page is, in whatever states it has; one that is not named here needs no facts."""
    requests = [made.planned, made.applied, made.plan_failed]
    group = f"?cluster={console.cluster}&group={made.group}"
    place = f"&topic={made.topic}&partition=0&offset=1"
    with_facts: dict[str, list[str]] = {
        "request": [reverse("request", args=[one]) for one in requests],
        "request-edit": [reverse("request-edit", args=[made.planned])],
        "records-panel": [reverse("records-panel", args=[made.planned])],
        "batch": [reverse("batch", args=[made.batch])],
        "look": [reverse("look", args=[one]) + view for one in made.looks for view in LOOK_VIEWS],
        "look-new": [reverse("look-new") + f"?request={made.planned}{place}", reverse("look-new") + group + place],
        "skip-one": [reverse("skip-one") + group, reverse("skip-one") + f"{group}&place={made.topic}:0"],
        "preview": [reverse("preview", args=[made.preview])],
        "request-new": [reverse("request-new"), reverse("request-new") + group],
        "group": [
            reverse("group", args=[console.cluster, made.group]) + tab
            for tab in ("", "?tab=partitions", "?tab=members", "?tab=requests", "?tab=audit")
        ],
        "search": [reverse("search") + "?q=billing", reverse("search") + "?q=nothing-is-called-so"],
        "history": [reverse("history") + group, reverse("history")],
        "requests": [reverse("requests"), reverse("requests") + "?state=expired"],
        "claim": [reverse("claim", args=[made.claim])],
        "claim-new": [reverse("claim-new") + f"?cluster={console.cluster}&group=nobody-s"],
        "cluster": [reverse("cluster", args=[console.cluster])],
        "cluster-edit": [reverse("cluster-edit", args=[console.cluster])],
        "team": [reverse("team", args=["billing"])],
        "people-one": [reverse("people-one", args=["alice"])],
        "service": [reverse("service", args=[made.service])],
        "policy": [reverse("policy", args=[made.policy])],
        "channel": [reverse("channel", args=[made.channel])],
        "policy-change": [reverse("policy-change", args=[made.policy])],
    }
    return with_facts.get(name) or [reverse(name)]


def page_names() -> set[str]:
    """The names of all addresses that are pages for people; of the sign-in library's only those that we link to."""
    theirs = ("account_", "mfa_", "socialaccount_", "openid_connect_")
    found = {name for name in _names(get_resolver().url_patterns) if not name.startswith(theirs)}
    return (found | {"account_change_password", "mfa_index"}) - NO_PAGES


def _names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for one in patterns:
        if isinstance(one, URLResolver):
            if one.namespace is None and not str(one.pattern).startswith("api/"):
                yield from _names(one.url_patterns)
        elif one.name and not str(one.pattern).startswith("api/"):
            yield one.name


# Who looks: Alice at her own previews, looks and what follows from them, Bob at what waits for him, Carol at all else.
ONLOOKERS = dict.fromkeys(
    ("preview", "request-new", "request-edit", "records-panel", "look", "look-new", "skip-one"), ALICE
) | (dict.fromkeys(("request", "batch", "inbox", "home", "away"), BOB) | {"claim-new": ALICE})


def _open(page: Page, address: str) -> None:
    """Open a page, and return when what it loads by itself is there."""
    answer = page.goto(address)
    assert answer is not None
    page.wait_for_function(AT_REST)


@pytest.mark.parametrize("name", sorted(page_names()))
def test_page_can_be_read_and_used_by_everyone_and_nothing_goes_wrong_on_it(
    name: str, console: Console, furnished: Furnished, visit: Callable[[str], Visitor]
) -> None:
    page = visit(ONLOOKERS.get(name, CAROL)).page
    found = [(where, fault) for where in addresses(name, console, furnished) for fault in faults(page, where)]
    assert found == []


def faults(page: Page, address: str) -> list[str]:
    """Open the page on a desk and on a phone, by day and by night: what hinders people, and what does not fit."""
    page.set_viewport_size({"width": DESK["width"], "height": DESK["height"]})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    _open(page, address)
    found = [f"light: {one}" for one in barriers(page)]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found += [f"dark: {one}" for one in barriers(page)]
    found += [f"{_width(page)} px wide on a desk"] if _width(page) > DESK["width"] else []

    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    _open(page, address)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{scheme}: {_width(page)} px wide on a phone"] if _width(page) > PHONE["width"] else []
    return found


def test_sign_in_and_error_pages_are_accessible_too(
    visit: Callable[[str], Visitor], sessions: dict[str, StorageState]
) -> None:
    amir = visit("amir")
    with amir.watch.expecting(404):
        _open(amir.page, "/requests/999999999")
        assert barriers(amir.page) == []
    page = amir.page
    _open(page, reverse("account_logout"))
    assert barriers(page) == []
    page.get_by_role("button", name="Sign out").last.click()
    del sessions["amir"]
    expect(page.locator("[name=login]")).to_be_visible()
    assert barriers(page) == []


def barriers(page: Page) -> list[str]:
    """What axe finds, of whatever weight, each with the first element that has it."""
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: {one['nodes'][0]['html'][:160]}"
        for one in Axe().run(page).response["violations"]
    ]


def _width(page: Page) -> int:
    return int(page.evaluate("() => document.documentElement.scrollWidth"))
