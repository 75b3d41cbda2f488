"""One POST to a webhook: to the address that was checked, no redirect followed, no proxy asked, little of the answer read."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from kafkaconsole.notifications import addresses
from kafkaconsole.notifications.errors import NotDelivered, RefusedForGood
from kafkaconsole.notifications.telling import plain

PATIENCE = 10.0
"""Seconds for each step: connecting, sending, waiting for the answer."""
LIMIT = 20.0
"""Seconds for all of it: whoever answers a letter at a time is cut off."""
ADDRESSES = 3
"""So many addresses of a host are tried."""
ANSWER_BYTES = 500
NOT_NOW = frozenset({408, 425, 429})
"""Answers below 500 after which another try may succeed."""
SIGNATURE, TIMESTAMP = "X-Kafka-Console-Signature", "X-Kafka-Console-Timestamp"


def signature(key: str, timestamp: str, body: bytes) -> str:
    """`sha256=` and the HMAC-SHA256 in hexadecimal over the timestamp, a dot, and the body."""
    signed = timestamp.encode("ascii") + b"." + body
    return f"sha256={hmac.new(key.encode(), signed, hashlib.sha256).hexdigest()}"


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Deliver; the answer's status, always 2xx. Raises NotDelivered, RefusedForGood, InternalAddress."""
    parts = urlsplit(url)
    connection = _connection(parts)
    cut = threading.Timer(LIMIT, connection.cut)
    cut.start()
    try:
        path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        told = plain(answer.read(ANSWER_BYTES).decode("utf-8", "replace"))
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise NotDelivered(answer=plain(str(error))[:300] or type(error).__name__) from error
    finally:
        cut.cancel()
        connection.close()
    if connection.is_cut:
        raise NotDelivered(answer=f"no whole answer within {LIMIT:.0f} seconds")
    if 200 <= answer.status < 300:
        return answer.status
    said = f"HTTP {answer.status} {told}".strip()[:300]
    if answer.status >= 500 or answer.status in NOT_NOW:
        raise NotDelivered(answer=said)
    raise RefusedForGood(answer=said)


class _Checked(http.client.HTTPConnection):
    """Connects to the address that was checked, under the host's own name."""

    is_cut = False

    def cut(self) -> None:
        """End it from another thread: whatever reads or writes now fails, and nothing begins any more."""
        self.is_cut = True
        if self.sock is not None:
            with contextlib.suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)

    def connect(self) -> None:
        """Look up, check, connect; no environment variable names a proxy here."""
        failed: OSError | None = None
        for address in addresses.reachable(self.host, self.port)[:ADDRESSES]:
            if self.is_cut:
                break
            try:
                self.sock = socket.create_connection((address, self.port), self.timeout)
                return
            except OSError as error:
                failed = error
        raise failed or OSError(f"{self.host} has no address")


class _CheckedTls(_Checked):
    """The same with TLS; the certificate has to be the host's."""

    default_port = http.client.HTTPS_PORT

    def connect(self) -> None:
        """Connect, then shake hands."""
        super().connect()
        context = ssl.create_default_context()
        secure = context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock = secure
        secure.do_handshake()


def _connection(parts: SplitResult) -> _Checked:
    made = _CheckedTls if parts.scheme == "https" else _Checked
    return made(parts.hostname or "", parts.port, timeout=PATIENCE)
