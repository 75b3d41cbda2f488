"""People at their browsers: each in a window of their own, doing what the pages offer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, Playwright, StorageState, expect

from tests.journeys.stack import Console, Person
from tests.journeys.watching import Watch

CHROMIUM = "/usr/bin/chromium"
# Chromium as root in a machine without a screen.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LIMIT_MS = 30_000
DESK = {"width": 1280, "height": 900}


@contextmanager
def launched(playwright: Playwright) -> Iterator[Browser]:
    """Debian's Chromium, without a screen."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    try:
        yield browser
    finally:
        browser.close()


@dataclass(frozen=True)
class PlanRow:
    """One line of a plan as the page shows it; None where the page says `none`."""

    partition: str
    committed: int | None
    target: int | None
    replayed: int
    skipped: int


class Visitor:
    """One person in one browser window."""

    def __init__(
        self, browser: Browser, console: Console, person: Person, *, session: StorageState | None = None
    ) -> None:
        """session: the cookies of an earlier window of the same person, who is signed in by them."""
        self.console = console
        self.person = person
        self.context = browser.new_context(
            storage_state=session,
            base_url=console.url,
            viewport={"width": DESK["width"], "height": DESK["height"]},
            locale="en-GB",
            timezone_id="UTC",
            accept_downloads=True,
        )
        self.context.set_default_timeout(LIMIT_MS)
        self.watch = Watch(self.context)
        self.page: Page = self.context.new_page()

    def close(self) -> None:
        """Close the window."""
        self.context.close()

    def sign_in(self, then: str = "/requests") -> None:
        """By the form, with the password."""
        self.page.goto(f"/accounts/login/?next={then}")
        self.page.locator("[name=login]").fill(self.person.name)
        self.page.locator("[name=password]").fill(self.person.password)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(f"**{then}")

    # --- asking

    def name_group(self, group: str) -> None:
        """Open the form and type cluster and group; the page looks them up by itself."""
        self.page.goto("/requests/new")
        with self.form_drawn_again():
            self.page.locator("#id_cluster").select_option(self.console.cluster)
        with self.form_drawn_again():
            field = self.page.locator("#id_group")
            field.fill(group)
            field.press("Tab")

    @contextmanager
    def form_drawn_again(self) -> Iterator[None]:
        """What is done inside makes the server draw the form anew; return when it stands on the page."""
        self.page.locator("[data-reset-form]").evaluate("form => { form.dataset.old = 'yes'; }")
        yield
        expect(self.page.locator("[data-reset-form][data-old]")).to_have_count(0)
        expect(self.page.locator("[data-reset-form]")).to_be_visible()

    def choose(self, kind: str, fields: Mapping[str, str]) -> None:
        """Choose where to, and fill the strategy's own fields by their names."""
        self.page.locator(f"input[name=kind][value={kind}]").check()
        for name, value in fields.items():
            field = self.page.locator(f"[name={name}]")
            if field.evaluate("one => one.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)

    def show_plan(self) -> list[PlanRow]:
        """Let a worker compute the plan, and read it once it stands on the page."""
        with self.form_drawn_again():
            self.page.locator("#do-preview").click()
        expect(self.page.locator("#preview table.lines")).to_be_visible()
        return plan_rows(self.page.locator("#preview"))

    def ask(self, reason: str) -> int:
        """Ask for what the form says; the number of the new request, whose page is open then and shows its plan."""
        self.page.locator("#id_reason").fill(reason)
        self.page.locator("#do-request").click()
        self.page.wait_for_url(re.compile(r"/requests/\d+$"))
        self.wait_for_state("planned")
        return int(self.page.url.rpartition("/")[2])

    # --- reviewing

    def open_request(self, request: int) -> None:
        """Open its page by its address."""
        self.page.goto(f"/requests/{request}")

    def open_from_inbox(self, request: int) -> None:
        """Go to the inbox and follow the entry of this request."""
        self.page.goto("/inbox")
        self.page.locator(f'a[href="/requests/{request}"]').click()
        self.page.wait_for_url(f"**/requests/{request}")

    def approve(self) -> None:
        """Sign the plan on the open page."""
        self.page.get_by_role("button", name="Approve this plan").click()
        expect(self.page.get_by_text("You approved this plan.")).to_be_visible()

    def wait_for_state(self, *states: str, limit_ms: float = LIMIT_MS) -> None:
        """Wait until the open page itself shows one of the states; it is not loaded again."""
        shown = ", ".join(f"#head [data-state={state}]" for state in states)
        expect(self.page.locator(shown)).to_be_visible(timeout=limit_ms)

    def plan(self) -> list[PlanRow]:
        """The plan on the open request's page."""
        expect(self.page.locator("#plan table.lines")).to_be_visible()
        return plan_rows(self.page.locator("#plan"))

    def problem(self) -> str:
        """What the open request's page says is in the way."""
        return self.page.locator("#main-part .notice").first.inner_text()

    def save_picture(self, file: Path) -> None:
        """For people: how the page looks now."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=file, full_page=True)


def plan_rows(part: Locator) -> list[PlanRow]:
    """Read a plan's table."""
    return [_plan_row(row) for row in part.locator("table.lines tbody tr").all()]


def _plan_row(row: Locator) -> PlanRow:
    cells = {cell.get_attribute("data-label"): cell for cell in row.locator("td[data-label]").all()}
    will_stand = cells["Will stand at"].locator("b")
    return PlanRow(
        partition=row.locator("th .partition").inner_text(),
        committed=number(cells["Stands at"].inner_text()),
        target=number(will_stand.inner_text()) if will_stand.count() else None,
        replayed=number(cells["Read again"].inner_text()) or 0,
        skipped=number(cells["Skipped"].inner_text()) or 0,
    )


def number(text: str) -> int | None:
    """A number as pages write it, thousands apart; None for `none`."""
    figures = re.sub(r"[\s,\u00a0\u202f\u2009]", "", text)
    return None if figures == "none" else int(figures)


def table_numbers(table: Locator, columns: Sequence[str]) -> dict[str, tuple[int | None, ...]]:
    """{partition: numbers} of a table's rows, by the columns' labels."""
    found = {}
    for row in table.locator("tbody tr").all():
        cells = [row.locator(f'td[data-label="{column}"]').inner_text() for column in columns]
        found[row.locator("th .partition").inner_text()] = tuple(number(cell) for cell in cells)
    return found
