"""Asking a web process on this machine over HTTP, past any proxy that the environment names."""

from __future__ import annotations

import urllib.request
from typing import Any

_HERE = ("localhost", "127.0.0.1")


def ask(call: str | urllib.request.Request, *, timeout: float) -> Any:
    """What `urllib.request.urlopen` gives and raises, without a proxy; `timeout` in seconds."""
    # urllib takes http_proxy from the environment even for localhost; a proxy's localhost is another machine.
    direct = urllib.request.ProxyHandler({})
    return urllib.request.build_opener(direct).open(call, timeout=timeout)


def past_proxies(environment: dict[str, str]) -> dict[str, str]:
    """The same environment for a child process, which then asks this machine itself past proxies too."""
    kept = environment.get("no_proxy") or environment.get("NO_PROXY") or ""
    names = ",".join(dict.fromkeys([*filter(None, kept.split(",")), *_HERE]))
    return {**environment, "no_proxy": names, "NO_PROXY": names}
