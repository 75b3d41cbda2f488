"""A real provider of sign-ins on the loopback address, and a browser that goes there and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import oidc_provider_mock
import requests
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django.fixtures import Settings

SECRET = "of-this-console-alone"  # noqa: S105  of no real provider
START, CALLBACK = "/accounts/oidc/company/login/", "/accounts/oidc/company/login/callback/"


@dataclass(frozen=True)
class Provider:
    """Where it listens."""

    url: str

    def knows(self, subject: str, **claims: object) -> None:
        """What it says of somebody from now on."""
        answer = requests.put(f"{self.url}/users/{subject}", json=claims, timeout=10)
        assert answer.status_code < 300, answer.text

    def send_back(self, client: Client, subject: str, *, start: str = START) -> str:
        """The address, with its code, to which the provider sends a browser back once somebody has signed in there."""
        there = client.post(start)
        assert there.status_code == 302
        answer = requests.post(there.headers["Location"], data={"sub": subject}, allow_redirects=False, timeout=10)
        assert answer.status_code == 302, answer.text
        parts = urlsplit(answer.headers["Location"])
        assert parts.path == CALLBACK
        return f"{parts.path}?{parts.query}"

    def sign_in(self, client: Client, subject: str) -> HttpResponseBase:
        """What the console answers in the end."""
        return client.get(self.send_back(client, subject))


@contextmanager
def running(settings: Settings) -> Iterator[Provider]:
    """The provider, set up in the settings as the environment would."""
    with oidc_provider_mock.run_server_in_thread() as server:
        url = f"http://localhost:{server.server_port}"
        settings.OIDC_SERVER_URL = url
        settings.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": {
                "APPS": [
                    {
                        "provider_id": "company",
                        "name": "Company",
                        "client_id": "console",
                        "secret": SECRET,
                        "settings": {"server_url": url, "oauth_pkce_enabled": True},
                    }
                ]
            }
        }
        yield Provider(url)
