"""The HTTP API as a script uses it: a token, JSON, and the standard library alone."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError

from devtools.servers.asking import ask
from tests.journeys.stack import Person

LIMIT_SECONDS = 60.0
WAIT = "wait_s=20"


@dataclass(frozen=True)
class Answer:
    """Status, and the body as text; `json` reads it."""

    status: int
    text: str
    content_type: str

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.text)

    def ok(self) -> Any:
        """The JSON of a call that must succeed."""
        assert self.status < 400, f"HTTP {self.status}: {self.text[:2000]}"
        return self.json


@dataclass(frozen=True)
class Api:
    """Calls of one person by their token; paths are below /api/v1."""

    url: str
    person: Person

    def get(self, path: str) -> Answer:
        """GET."""
        return self._call("GET", path, None)

    def post(self, path: str, body: Mapping[str, object] | None = None) -> Answer:
        """POST of a JSON object."""
        return self._call("POST", path, body)

    def wait(self, request: int, *, until: str | None = None, tries: int = 4) -> Any:
        """The request once it is in the state, or at rest; asked again `tries` times 20 s at most."""
        path = f"/requests/{request}?{WAIT}" + (f"&until={until}" if until else "")
        found = self.get(path).ok()
        for _ in range(tries - 1):
            if found["state"] == until or (
                until is None and found["state"] not in ("planning", "approved", "executing")
            ):
                break
            found = self.get(path).ok()
        return found

    def _call(self, method: str, path: str, body: Mapping[str, object] | None) -> Answer:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.person.token}", "Content-Type": "application/json"}
        call = urllib.request.Request(f"{self.url}/api/v1{path}", data=data, headers=headers, method=method)
        try:
            with ask(call, timeout=LIMIT_SECONDS) as answer:
                return Answer(answer.status, answer.read().decode(), answer.headers.get("Content-Type", ""))
        except HTTPError as refusal:
            return Answer(refusal.code, refusal.read().decode(), refusal.headers.get("Content-Type", ""))
