"""One console for all stories of a test session, and people who use it."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, StorageState, sync_playwright

from devtools.kafka.cluster import LocalKafka
from tests.journeys.browsing import Visitor, launched
from tests.journeys.calling import Api
from tests.journeys.databases import new_database
from tests.journeys.scenes import Scene, read_and_stopped
from tests.journeys.stack import Console, running_console

_CONSOLE = pytest.StashKey[Console]()
_FAILED = pytest.StashKey[bool]()
_PICTURES = Path(__file__).parents[2] / ".cache" / "reports" / "pictures"


@pytest.fixture(scope="session")
def console(
    kafka_one: LocalKafka, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[Console]:
    """Web, worker and beat against `kafka_one`, with the cast."""
    folder = tmp_path_factory.mktemp("console")
    with (
        new_database(folder, os.environ.get("DATABASE_URL")) as database,
        running_console(folder, kafka_one, database) as console,
    ):
        pytestconfig.stash[_CONSOLE] = console
        yield console


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """A failed story shows how the logs of the console's processes end."""
    report = yield
    console = item.config.stash.get(_CONSOLE, None)
    if report.failed and console is not None and "console" in getattr(item, "fixturenames", ()):
        item.stash[_FAILED] = True
        report.sections += [(f"log of {name}", text) for name, text in console.logs()]
    return report


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium. Closed after each module: while Playwright runs, Django refuses the ORM in this process."""
    with sync_playwright() as playwright, launched(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def sessions() -> dict[str, StorageState]:
    """The cookies of people who have signed in before: once a session each, since checking a password takes a while."""
    return {}


@contextmanager
def signed_in(browser: Browser, console: Console, sessions: dict[str, StorageState], name: str) -> Iterator[Visitor]:
    """A person in a window of their own, signed in by the form the first time in a session, later by their cookies."""
    visitor = Visitor(browser, console, console.people[name], session=sessions.get(name))
    try:
        if name not in sessions:
            visitor.sign_in()
            sessions[name] = visitor.context.storage_state()
        yield visitor
    finally:
        visitor.close()


@pytest.fixture
def visit(
    request: pytest.FixtureRequest, console: Console, chromium: Browser, sessions: dict[str, StorageState]
) -> Iterator[Callable[[str], Visitor]]:
    """Signs a person in, in a browser window of their own; at the end nothing may have gone wrong on any page.

    A failed test leaves a picture of each window in .cache/reports/pictures.
    """
    visitors: list[Visitor] = []
    with ExitStack() as windows:

        def sign_in(name: str) -> Visitor:
            visitors.append(windows.enter_context(signed_in(chromium, console, sessions, name)))
            return visitors[-1]

        yield sign_in
        if request.node.stash.get(_FAILED, False):
            for visitor in visitors:
                visitor.save_picture(_PICTURES / f"{request.node.name}-{visitor.person.name}.png")
    assert [trouble for visitor in visitors for trouble in visitor.watch.troubles] == []


@pytest.fixture
def api(console: Console) -> Callable[[str], Api]:
    """The API as one of the cast calls it."""
    return lambda name: Api(console.url, console.people[name])


@pytest.fixture
def group(console: Console, unique_name: Callable[[str], str]) -> str:
    """A name for a group of Billing that no other test uses."""
    return unique_name(f"{console.team_prefix}-readers")


@pytest.fixture
def hello(console: Console, topic_name: str, group: str) -> Scene:
    """m1, m2, m3 on one partition, ten minutes apart; the group has read them (committed 3, lag 0) and stopped."""
    return read_and_stopped(console.kafka, topic_name, group)


@pytest.fixture
def mortal(console: Console, breakable_one: LocalKafka) -> Iterator[Console]:
    """The console, with a worker that runs and a broker that answers for the next test, whatever this one did."""
    yield console
    breakable_one.mend()
    console.keep_worker()
