"""A client of the API for tests: JSON in and out, problems checked for their form whatever the test is about."""

from __future__ import annotations

import json
import re
from typing import Any

from django.test import Client

JSON = re.compile(r"application/(problem\+)?json\b")
PROBLEM_FIELDS = {"type", "title", "status", "code", "detail", "facts"}


class Answer:
    """One answer: `status`, `json`, `headers`, `text`."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status_code
        self.headers = response.headers
        raw = b"".join(response.streaming_content) if response.streaming else response.content
        self.text: str = raw.decode()
        self.json: Any = json.loads(self.text) if JSON.match(response.get("Content-Type", "")) and self.text else None
        if self.status >= 400:
            self._check_problem(response.get("Content-Type", ""))

    def _check_problem(self, content_type: str) -> None:
        assert content_type == "application/problem+json", (self.status, content_type, self.text[:300])
        assert set(self.json) == PROBLEM_FIELDS
        assert self.json["status"] == self.status
        assert self.json["type"].endswith(self.json["code"])
        assert len(self.json["detail"]) > 10, "a refusal says what was found, what was expected and what to do"
        assert not re.search(r"\{[a-z_]+\}", self.json["detail"]), "a fact that its sentence needs is missing"

    @property
    def code(self) -> str:
        """The problem's code."""
        return str(self.json["code"])


class Api:
    """Calls with a token, or (`Api(client=…)`) with a browser's session; paths are below /api/v1."""

    def __init__(self, token: str | None = None, client: Client | None = None) -> None:
        self.token = token
        self.client = client or Client(raise_request_exception=False)

    def get(self, path: str, **headers: str) -> Answer:
        """GET."""
        return self.call("GET", path, None, **headers)

    def post(self, path: str, body: object = None, **headers: str) -> Answer:
        """POST."""
        return self.call("POST", path, body, **headers)

    def call(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Any method; `body` is JSON, or bytes to send as they are. Header names with `_` for `-`."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        response = self.client.generic(
            method, f"/api/v1{path}", raw, content_type="application/json", headers=sent, RAW_URI=f"/api/v1{path}"
        )
        return Answer(response)
