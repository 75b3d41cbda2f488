"""Two consoles on one host name keep their people apart: cookies have no port, so their names differ (COOKIE_PREFIX)."""

from __future__ import annotations

import json
import os
import subprocess
import sys

PROGRAM = """
import json, django
django.setup()
from django.conf import settings
from django.test import RequestFactory
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.http import HttpResponse
def page(request):
    get_token(request)
    return HttpResponse()
answer = CsrfViewMiddleware(page)(RequestFactory().get("/"))
print(json.dumps([settings.SESSION_COOKIE_NAME, *answer.cookies]))
"""


def _run(prefix: str) -> subprocess.CompletedProcess[str]:
    own = {"COOKIE_PREFIX": prefix, "DJANGO_SETTINGS_MODULE": "kafkaconsole.settings"}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, env={**os.environ, **own}
    )


def _names(prefix: str) -> list[str]:
    done = _run(prefix)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout.strip().splitlines()[-1]))


def test_the_cookies_of_sessions_and_forms_bear_the_prefix() -> None:
    assert _names("demo-8001-") == ["demo-8001-sessionid", "demo-8001-csrftoken"]


def test_without_a_prefix_cookies_have_their_usual_names() -> None:
    assert _names("") == ["sessionid", "csrftoken"]


def test_a_prefix_that_is_no_name_stops_the_boot_and_names_the_variable() -> None:
    done = _run("demo 8001;")
    assert done.returncode == 1
    assert "COOKIE_PREFIX must match" in done.stderr
