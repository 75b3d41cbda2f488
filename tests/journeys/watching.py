"""What goes wrong on pages without anyone clicking it: console errors, CSP violations, failed requests, server errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

# A page that is left while it asks for something gives the answer up; that is no fault.
_GIVEN_UP = "net::ERR_ABORTED"
_REFUSED = 400


class Watch:
    """Collects the troubles of all pages of one window. A refusal that a test provokes is announced with `expecting`."""

    def __init__(self, context: BrowserContext) -> None:
        self.troubles: list[str] = []
        self._expected: set[int] = set()
        context.on("console", self._said)
        context.on("weberror", self._threw)
        context.on("requestfailed", self._failed)
        context.on("response", self._answered)

    @contextmanager
    def expecting(self, *statuses: int) -> Iterator[None]:
        """Answers with these statuses are wanted inside the `with`."""
        self._expected |= set(statuses)
        yield
        self._expected -= set(statuses)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if any(f"status of {status} " in message.text for status in self._expected):
            return
        self.troubles.append(f"{message.type} on {message.location.get('url', '')}: {message.text}")

    def _threw(self, error: WebError) -> None:
        self.troubles.append(f"script error: {error.error}")

    def _failed(self, request: Request) -> None:
        if request.failure != _GIVEN_UP:
            self.troubles.append(f"{request.method} {urlsplit(request.url).path} failed: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= _REFUSED and response.status not in self._expected:
            path = urlsplit(response.url).path
            self.troubles.append(f"{response.request.method} {path} answered {response.status}")
