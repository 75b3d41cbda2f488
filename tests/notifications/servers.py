"""A real mail server and a real HTTP server on loopback, each on a free port, in threads of their own."""

from __future__ import annotations

import email
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


@dataclass
class PostOffice:
    """What arrived, in order. `answers` are what the next RCPTs are answered; once they are used up all is well."""

    mails: list[EmailMessage] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802  aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take the address, or say what was asked for."""
        if self.answers:
            return self.answers.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Keep the mail."""
        raw = envelope.content
        assert isinstance(raw, bytes)
        self.mails.append(email.message_from_bytes(raw, policy=default))
        return "250 OK"

    def to(self, address: str) -> list[EmailMessage]:
        """Those that went to this address."""
        return [mail for mail in self.mails if mail["To"] == address]


class FreePort(Controller):
    """Listens where there is room, and knows where that is before anyone connects."""

    async def _create_server(self) -> Any:
        server: Any = await super()._create_server()
        self.port = server.sockets[0].getsockname()[1]
        return server


@contextmanager
def mail_server(office: PostOffice) -> Iterator[int]:
    """The port of a mail server that brings what it gets to the office."""
    controller = FreePort(office, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


@dataclass(frozen=True)
class Posted:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body."""
        return json.loads(self.body)


@dataclass
class Hooks:
    """What was posted; `answers` are the next statuses, then 204. A status of 302 leads to `/elsewhere`."""

    posted: list[Posted] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        """Where to post."""
        return f"http://127.0.0.1:{self.port}/hook?room=1"


@contextmanager
def hook_server() -> Iterator[Hooks]:
    """A server that keeps what is posted to it."""
    hooks = Hooks()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # noqa: N802  the library's name
            body = self.rfile.read(int(self.headers["Content-Length"]))
            hooks.posted.append(Posted(self.path, dict(self.headers), body))
            status = hooks.answers.pop(0) if hooks.answers else 204
            self.send_response(status)
            if status == 302:
                self.send_header("Location", f"http://127.0.0.1:{hooks.port}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the library's name
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hooks.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hooks
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
