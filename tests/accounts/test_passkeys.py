"""Passkeys in a real browser, with the authenticator that Chromium itself plays."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from kafkaconsole.accounts.models import User
from tests.factories import PASSWORD, make_cast
from tests.journeys.browsing import LIMIT_MS, launched

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HOME = re.compile(r":\d+/$")
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def bob() -> User:
    """Somebody without a second factor."""
    return make_cast().bob


@pytest.fixture
def page(bob: User, live_server: LiveServer) -> Iterator[Page]:
    """A browser on a device with a fingerprint reader, at the sign-in page."""
    with sync_playwright() as playwright, launched(playwright) as browser:
        page = browser.new_page(base_url=live_server.url)
        page.set_default_timeout(LIMIT_MS)
        session = page.context.new_cdp_session(page)
        session.send("WebAuthn.enable")
        session.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
        page.goto("/accounts/login/")
        yield page


def type_password(page: Page) -> None:
    page.get_by_label("User name or e-mail address").fill("bob")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_passkey_is_set_up_and_then_signs_in(page: Page) -> None:
    type_password(page)
    page.wait_for_url(HOME)
    page.goto("/accounts/2fa/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("Name").fill("Laptop")
    page.get_by_role("button", name="Add").click()
    page.wait_for_url("**/accounts/2fa/recovery-codes/")
    page.goto("/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    type_password(page)
    page.wait_for_url("**/accounts/2fa/authenticate/")
    page.get_by_role("button", name=re.compile("security key", re.IGNORECASE)).click()
    page.wait_for_url(HOME)
    page.goto("/profile")
    expect(page.get_by_role("heading", name="Bob", level=1)).to_be_visible()
