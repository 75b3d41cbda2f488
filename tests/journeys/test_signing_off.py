"""Policies at work: two signatures from two teams over a plan that changes in between, a window that opens, broken glass."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Page, expect

from devtools.kafka.tools import Tools
from tests.journeys.browsing import LIMIT_MS, PlanRow, Visitor
from tests.journeys.calling import Api
from tests.journeys.scenes import HELLO, Scene

pytestmark = [pytest.mark.browser, pytest.mark.celery_worker]

Visit = Callable[[str], Visitor]
Call = Callable[[str], Api]
OWN = {"count": 1, "of": "own_team"}
SOON = timedelta(seconds=25)
"""So long a request takes at most to be planned and signed, on a slow machine too."""
OPENS_MS = 180_000


def set_policy(api: Call, hello: Scene, **fields: object) -> None:
    """Carol's, for this one group."""
    reach = {"cluster": "demo", "group": {"kind": "name", "pattern": hello.group}}
    api("carol").post("/policies", {"name": f"Policy {hello.group[-8:]}", "needs": [OWN], **reach, **fields}).ok()


def asked(alice: Visitor, hello: Scene) -> int:
    alice.name_group(hello.group)
    alice.choose("to_earliest", {})
    return alice.ask("Read again, the parser was wrong")


def offsets(hello: Scene) -> object:
    return Tools(hello.kafka).described_offsets(hello.group)


def test_two_teams_sign_and_sign_anew_after_the_plan_has_changed(hello: Scene, visit: Visit, api: Call) -> None:
    alice, bob, carol, dave = (visit(name) for name in ("alice", "bob", "carol", "dave"))
    make_approver(carol, "search", "dave")
    set_policy(api, hello, needs=[OWN, {"count": 1, "of": "team", "team": "search"}])
    request = asked(alice, hello)
    bob.open_from_inbox(request)
    bob.approve()
    first_plan = digest(bob.page)

    hello.write("m4")
    assert hello.read(1) == ["m4"]
    alice.page.get_by_role("button", name="Plan again").click()
    expect(bob.page.get_by_text("What changed since the plan before")).to_be_visible(timeout=LIMIT_MS)
    bob.wait_for_state("planned")
    assert digest(bob.page) != first_plan
    changed = bob.page.get_by_role("row").filter(has_text=hello.topic).first
    assert [changed.locator(f'[data-label="{name}"]').inner_text() for name in ("Stood at", "Stands at")] == ["3", "4"]
    assert bob.plan() == [PlanRow(f"{hello.topic}-0", 4, 0, 4, 0)]

    dave.open_from_inbox(request)
    expect(dave.page.get_by_text("What changed since the plan before")).to_be_visible()
    dave.approve()
    dave.wait_for_state("planned")
    assert offsets(hello) == {(hello.topic, 0): 4}, "one signature of two, and Bob's was of another plan"
    bob.approve()
    for one in (alice, bob, dave):
        one.wait_for_state("applied")
    assert offsets(hello) == {(hello.topic, 0): 0}


def test_an_approved_request_waits_for_its_window_and_is_applied_when_it_opens(
    hello: Scene, visit: Visit, api: Call
) -> None:
    opens = (datetime.now(UTC) + SOON).replace(second=0, microsecond=0) + timedelta(minutes=1)
    every_day = "mon-sun" if opens.hour or opens.minute else opens.strftime("%a").lower()
    set_policy(api, hello, terms={"zone": "UTC", "windows": [f"{every_day} {opens:%H:%M}-24:00"]})
    alice, bob = visit("alice"), visit("bob")
    bob.open_from_inbox(asked(alice, hello))
    bob.approve()
    bob.wait_for_state("approved", "waiting")
    expect(bob.page.locator("#main-part .notice").filter(has_text=f"{opens:%H:%M}")).to_be_visible()
    assert offsets(hello) == {(hello.topic, 0): 3}, "signed, and closed"

    bob.wait_for_state("applied", limit_ms=OPENS_MS)
    assert datetime.now(UTC) >= opens
    assert offsets(hello) == {(hello.topic, 0): 0}
    assert hello.read(len(HELLO)) == list(HELLO)


def test_glass_is_broken_with_a_second_factor_and_the_mark_stays(hello: Scene, visit: Visit, api: Call) -> None:
    alice, bob, carol = visit("alice"), visit("bob"), visit("carol")
    set_policy(api, hello, break_glass=True)
    request = asked(alice, hello)
    code = add_second_factor(carol)
    carol.open_request(request)
    page = carol.page
    page.get_by_text("Emergency: carry it out without signatures").click()
    page.locator("#glass-reason").fill("The shop is down and nobody answers")
    page.locator("#glass-password").fill(carol.person.password)
    with carol.watch.expecting(403, 422):
        page.locator("#glass-code").fill("000000")
        page.get_by_role("button", name="Break the glass").click()
        expect(page.get_by_text("code", exact=False).first).to_be_visible()
    assert offsets(hello) == {(hello.topic, 0): 3}, "a wrong code breaks nothing"

    carol.open_request(request)
    page.get_by_text("Emergency: carry it out without signatures").click()
    page.locator("#glass-reason").fill("The shop is down and nobody answers")
    page.locator("#glass-password").fill(carol.person.password)
    page.locator("#glass-code").fill(code)
    page.get_by_role("button", name="Break the glass").click()
    carol.wait_for_state("applied")
    assert offsets(hello) == {(hello.topic, 0): 0}

    bob.open_request(request)
    notice = bob.page.get_by_role("alert").filter(has_text="The glass was broken: no signatures carry this")
    expect(notice).to_be_visible()
    assert "The shop is down and nobody answers" in notice.inner_text()
    page.goto("/audit?verb=reset.glass_broken")
    expect(page.get_by_text("reset.glass_broken").first).to_be_visible()
    take_second_factor_away(carol)


def make_approver(carol: Visitor, team: str, username: str) -> None:
    """A role in a team, by its page."""
    carol.page.goto(f"/teams/{team}/")
    carol.page.locator("[name=user]").last.fill(username)
    carol.page.locator("select[name=role]").select_option("approver")
    carol.page.locator("form:has(select[name=role]) button.btn-primary").click()
    expect(carol.page.locator(".messages .notice")).to_be_visible()


def digest(page: Page) -> str:
    """Of the plan that the open page lets sign."""
    return str(
        page.locator(
            "form[action$='/approve'] [name=digest], form[action$='/withdraw'] [name=digest]"
        ).first.input_value()
    )


def add_second_factor(visitor: Visitor) -> str:
    """Set an authenticator app up by the pages; a recovery code, good for once."""
    page = visitor.page
    page.goto("/accounts/2fa/totp/activate/")
    confirm_password(visitor)
    secret = re.search(r"\b[A-Z2-7]{32}\b", page.content())
    assert secret, "the secret can be typed where no camera is"
    page.locator("[name=code]").fill(str(format_hotp_value(hotp_value(secret[0], int(time.time()) // 30))))
    page.locator("form:has([name=code]) button").first.click()
    page.wait_for_url("**/recovery-codes/")
    codes = visitor.context.request.get("/accounts/2fa/recovery-codes/download/")
    assert codes.ok, codes.status_text
    return codes.text().split()[0]


def take_second_factor_away(visitor: Visitor) -> None:
    """As it was before, for the other stories."""
    visitor.page.goto("/accounts/2fa/totp/deactivate/")
    confirm_password(visitor)
    visitor.page.locator("main form button").first.click()
    visitor.page.wait_for_url("**/2fa/")


def confirm_password(visitor: Visitor) -> None:
    """Where the page asks for it once more."""
    if "reauthenticate" in visitor.page.url:
        visitor.page.locator("[name=password]").fill(visitor.person.password)
        visitor.page.locator("form:has([name=password]) button").first.click()
        visitor.page.wait_for_url(re.compile("/accounts/2fa/"))
