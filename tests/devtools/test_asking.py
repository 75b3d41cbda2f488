"""A proxy in the environment is not asked about this machine, by the demo's checks or by its processes."""

from __future__ import annotations

import re
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.error import URLError

import pytest

from devtools.demo.layout import ROOT, Layout, Ports
from devtools.servers.asking import ask, past_proxies

DEAD_END = "http://127.0.0.1:9"


class Answer(BaseHTTPRequestHandler):
    """200 to everything."""

    def do_GET(self) -> None:
        """As http.server wants it named."""
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def page() -> Iterator[str]:
    """The address of a web process."""
    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


@pytest.fixture(autouse=True)
def proxied(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that cannot reach this machine."""
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, DEAD_END)


def test_this_machine_is_asked_past_the_proxy(page: str) -> None:
    with pytest.raises(URLError):
        urllib.request.build_opener().open(page, timeout=5)
    with ask(page, timeout=5) as answer:
        assert answer.status == 200


def test_processes_of_the_demo_ask_this_machine_past_the_proxy_too(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = Layout(tmp_path, Ports(web=1, kafka=2, valkey=3)).environment()
    assert environment["http_proxy"] == DEAD_END, "the world outside is asked through it"
    monkeypatch.setenv("no_proxy", environment["no_proxy"])
    with urllib.request.build_opener().open(page, timeout=5) as answer:
        assert answer.status == 200


def test_hosts_that_were_excepted_already_stay_so() -> None:
    assert past_proxies({"NO_PROXY": "example.org,localhost"})["no_proxy"] == "example.org,localhost,127.0.0.1"


def test_nothing_here_asks_in_another_way() -> None:
    for folder in ("devtools", "tests"):
        for file in (ROOT / folder).rglob("*.py"):
            assert not re.search(r"\burlopen\(", file.read_text()), f"{file}: use devtools.servers.asking"
