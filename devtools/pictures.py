"""`python -m devtools.pictures`: the pictures of the README, taken from a demo that is started for it and thrown away.

It writes docs/pictures/request.png (a request as its approver sees it, light), request-dark.png and request-phone.png.
Needs Debian's Chromium. The demo's numbers and names are always the same; clocks and digests are not.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from devtools.demo.layout import ROOT
from devtools.kafka.ports import free_ports
from devtools.kafka.processes import start_bound
from devtools.kafka.waiting import comes_true
from devtools.servers.asking import ask

FOLDER = ROOT / "docs" / "pictures"
LARGEST_BYTES = 300_000
CHROMIUM = "/usr/bin/chromium"
# Chromium as root on a machine without a screen.
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
START_LIMIT_SECONDS = 300.0
APPROVER = "bob"


class PictureFailed(Exception):
    """No picture was taken; the text says why."""


@dataclass(frozen=True)
class Picture:
    """One file: how wide and high the window is, and which theme."""

    name: str
    size: ViewportSize
    scheme: Literal["light", "dark"]


PICTURES = (
    Picture("request", {"width": 1280, "height": 960}, "light"),
    Picture("request-dark", {"width": 1280, "height": 960}, "dark"),
    Picture("request-phone", {"width": 390, "height": 844}, "light"),
)


def main() -> int:
    """Take all pictures; 1 with a sentence when one could not be taken or is too large."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        with _demo() as facts, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for picture in PICTURES:
                print(_take(browser, picture, facts), flush=True)
            browser.close()
    except PictureFailed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


@contextmanager
def _demo() -> Iterator[dict[str, Any]]:
    """A demo of its own, and what its demo.json says."""
    web, kafka, valkey = map(str, free_ports(3))
    with tempfile.TemporaryDirectory(prefix="kafka-console-pictures-", ignore_cleanup_errors=True) as folder:
        ports = {"DEMO_PORT": web, "DEMO_KAFKA_PORT": kafka, "DEMO_VALKEY_PORT": valkey}
        with (Path(folder) / "said").open("wb") as said:
            child = start_bound(
                [sys.executable, "-m", "devtools.demo.run"],
                output=said,
                errors=subprocess.STDOUT,
                folder=ROOT,
                environment={**os.environ, **ports, "DEMO_DIR": str(Path(folder) / "demo")},
            )
        try:
            summary = Path(folder) / "demo" / "demo.json"
            ready = comes_true(lambda: summary.exists() or child.poll() is not None, limit=START_LIMIT_SECONDS)
            if not ready or not summary.exists():
                raise PictureFailed(f"The demo did not start. It said:\n{(Path(folder) / 'said').read_text()}")
            yield json.loads(summary.read_text())
        finally:
            child.terminate()
            child.wait()


def _take(browser: Browser, picture: Picture, facts: Mapping[str, Any]) -> str:
    page = browser.new_page(
        base_url=str(facts["url"]),
        viewport=picture.size,
        color_scheme=picture.scheme,
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="UTC",
    )
    _sign_in(page, next(one for one in facts["users"] if one["name"] == APPROVER))
    page.goto(f"/requests/{_waiting(facts)}")
    page.wait_for_load_state("networkidle")
    file = FOLDER / f"{picture.name}.png"
    page.screenshot(path=file, animations="disabled")
    page.close()
    if file.stat().st_size > LARGEST_BYTES:
        raise PictureFailed(f"{file.name} has {file.stat().st_size:,} bytes; at most {LARGEST_BYTES:,} are wanted.")
    return f"{file.relative_to(ROOT)}: {file.stat().st_size:,} bytes"


def _sign_in(page: Page, user: Mapping[str, str]) -> None:
    page.goto("/accounts/login/?next=/inbox")
    page.locator("[name=login]").fill(user["name"])
    page.locator("[name=password]").fill(user["password"])
    page.locator("form button.btn-primary").click()
    page.wait_for_url("**/inbox")


def _waiting(facts: Mapping[str, Any]) -> int:
    """The request that waits for the approver's signature."""
    token = next(one["token"] for one in facts["users"] if one["name"] == APPROVER)
    address = f"{facts['url']}/api/v1/requests?waiting_for_me=true"
    call = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
    with ask(call, timeout=30) as answer:
        items = json.loads(answer.read())["items"]
    if not items:
        raise PictureFailed(f"No request of the demo waits for {APPROVER}.")
    return int(items[0]["id"])


if __name__ == "__main__":
    sys.exit(main())
