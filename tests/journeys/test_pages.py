"""Every page in a real browser: nothing goes wrong on it, everyone can read and use it, and it fits a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from playwright.sync_api import Page, StorageState, expect

from tests.journeys.browsing import Visitor
from tests.journeys.calling import Api
from tests.journeys.scenes import Scene
from tests.journeys.stack import Console
from tests.journeys.test_troubles import expect_seen_by_a_sweep

pytestmark = [pytest.mark.browser, pytest.mark.celery_worker]

PHONE = {"width": 390, "height": 844}
# What a page loads by itself, files, and what only takes a POST; everything else is a page and is looked at below.
NO_PAGES = {
    "audit-csv",
    "audit-jsonl",
    "audit-verify",
    "batch-approve",
    "cluster-remove",
    "cluster-test",
    "group-history-csv",
    "group-history-data",
    "group-history-table",
    "healthz",
    "look-ask",
    "moment",
    "ownership-remove",
    "people-new",
    "people-password",
    "records-ask",
    "records-cancel",
    "records-download",
    "request-approve",
    "request-cancel",
    "request-comment",
    "request-live",
    "request-plan-csv",
    "request-reject",
    "request-replan",
    "request-undo",
    "set_language",
    "team-member-remove",
    "team-remove",
    "token-new",
    "token-revoke",
}
# Need rows that this journey does not make; tests/records and tests/resets/test_pages_batch*.py hold them.
NOT_FURNISHED = {"batch", "look", "look-new", "skip-one"}


@dataclass(frozen=True)
class Furnished:
    """What the pages show: a group that a sweep has seen, and requests in several states."""

    group: str
    planned: int
    applied: int
    plan_failed: int
    preview: str


@pytest.fixture
def furnished(console: Console, hello: Scene, api: Callable[[str], Api], visit: Callable[[str], Visitor]) -> Furnished:
    """Made through the API; Alice asks, Bob approves."""
    alice, bob = api("alice"), api("bob")
    change = {"cluster": console.cluster, "group": hello.group, "strategy": {"kind": "to_earliest"}}
    all_of_it = {"scope": {"all_committed": True}}
    typo = {"scope": {"topics": [{"topic": f"{hello.topic}x"}]}}

    def ask(scope: dict[str, Any]) -> int:
        return int(
            alice.post("/requests", {**change, **scope, "reason": "Read again, the parser was wrong"}).ok()["id"]
        )

    applied, plan_failed = ask(all_of_it), ask(typo)
    digest = bob.wait(applied, until="planned")["digest"]
    bob.post(f"/requests/{applied}/approve", {"digest": digest, "comment": "Checked."}).ok()
    assert alice.wait(applied, until="applied")["state"] == "applied"
    assert alice.wait(plan_failed, until="plan_failed")["state"] == "plan_failed"
    planned = ask(all_of_it)
    alice.wait(planned, until="planned")
    preview = alice.post("/previews", {**change, **all_of_it}).ok()["id"]
    alice.get(f"/previews/{preview}?wait_s=20").ok()
    expect_seen_by_a_sweep(visit("alice"), hello.group)
    return Furnished(hello.group, planned, applied, plan_failed, preview)


def addresses(console: Console, made: Furnished) -> dict[str, list[str]]:
    """Each page's name and where it is, in whatever states it has."""
    requests = [made.planned, made.applied, made.plan_failed]
    with_facts: dict[str, list[str]] = {
        "request": [reverse("request", args=[one]) for one in requests],
        "records-panel": [reverse("records-panel", args=[made.planned])],
        "preview": [reverse("preview", args=[made.preview])],
        "request-new": [reverse("request-new"), reverse("request-new") + f"?cluster=demo&group={made.group}"],
        "group": [reverse("group", args=[console.cluster, made.group])],
        "search": [reverse("search") + "?q=billing", reverse("search") + "?q=nothing-is-called-so"],
        "history": [reverse("history") + f"?cluster={console.cluster}&group={made.group}", reverse("history")],
        "requests": [reverse("requests"), reverse("requests") + "?state=expired"],
        "cluster": [reverse("cluster", args=[console.cluster])],
        "cluster-edit": [reverse("cluster-edit", args=[console.cluster])],
        "team": [reverse("team", args=["billing"])],
        "people-one": [reverse("people-one", args=["alice"])],
    }
    return with_facts | {name: [reverse(name)] for name in sorted(page_names() - set(with_facts))}


def page_names() -> set[str]:
    """The names of all addresses that are pages for people; of the sign-in library's only those that we link to."""
    theirs = ("account_", "mfa_")
    found = {name for name in _names(get_resolver().url_patterns) if not name.startswith(theirs)}
    return (found | {"account_change_password", "mfa_index"}) - NO_PAGES - NOT_FURNISHED


def _names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for one in patterns:
        if isinstance(one, URLResolver):
            if one.namespace is None and not str(one.pattern).startswith("api/"):
                yield from _names(one.url_patterns)
        elif one.name and not str(one.pattern).startswith("api/"):
            yield one.name


@dataclass(frozen=True)
class Onlookers:
    """Who looks: Alice at her own previews and what follows from them, Bob at what waits for him, Carol at all else."""

    alice: Visitor
    bob: Visitor
    carol: Visitor

    def who(self, name: str) -> Visitor:
        """Whose page is looked at."""
        own = {"preview": self.alice, "request-new": self.alice, "records-panel": self.alice}
        waiting = dict.fromkeys(("request", "inbox", "home"), self.bob)
        return (own | waiting).get(name, self.carol)

    def everyone(self) -> list[Page]:
        """Their pages."""
        return [one.page for one in (self.alice, self.bob, self.carol)]


@pytest.fixture
def onlookers(visit: Callable[[str], Visitor]) -> Onlookers:
    """Signed in, in three windows."""
    return Onlookers(visit("alice"), visit("bob"), visit("carol"))


def _open(visitor: Visitor, address: str) -> Page:
    answer = visitor.page.goto(address)
    assert answer is not None
    visitor.page.wait_for_load_state("networkidle")
    return visitor.page


def _each(onlookers: Onlookers, console: Console, made: Furnished) -> Iterator[tuple[str, Page]]:
    """Every page, open and at rest, with its address."""
    for name, places in addresses(console, made).items():
        for address in places:
            yield address, _open(onlookers.who(name), address)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_and_nothing_goes_wrong_on_it(
    scheme: Literal["light", "dark"], console: Console, furnished: Furnished, onlookers: Onlookers
) -> None:
    for page in onlookers.everyone():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = [(where, problem) for where, page in _each(onlookers, console, furnished) for problem in barriers(page)]
    assert found == []


def test_no_page_scrolls_sideways_on_a_phone(console: Console, furnished: Furnished, onlookers: Onlookers) -> None:
    for page in onlookers.everyone():
        page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    widths = [(where, _width(page)) for where, page in _each(onlookers, console, furnished)]
    assert [(where, width) for where, width in widths if width > PHONE["width"]] == []


def test_sign_in_and_error_pages_are_accessible_too(
    visit: Callable[[str], Visitor], sessions: dict[str, StorageState]
) -> None:
    amir = visit("amir")
    with amir.watch.expecting(404):
        assert barriers(_open(amir, "/requests/999999999")) == []
    page = _open(amir, reverse("account_logout"))
    assert barriers(page) == []
    page.get_by_role("button", name="Sign out").last.click()
    del sessions["amir"]
    expect(page.locator("[name=login]")).to_be_visible()
    assert barriers(page) == []


def barriers(page: Page) -> list[str]:
    """What axe finds serious or critical, each with the first element that has it."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: {one['nodes'][0]['html'][:160]}"
        for one in violations
        if one["impact"] in ("serious", "critical")
    ]


def _width(page: Page) -> int:
    return int(page.evaluate("() => document.documentElement.scrollWidth"))
