"""One cell: one call by one role, against the scene as it was, and what came of it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from kafkaconsole.accounts.models import Scope
from kafkaconsole.api.urls import api
from kafkaconsole.audit.models import AuditEvent
from tests.matrix import sending
from tests.matrix.roles import BY_TOKEN_ALONE
from tests.matrix.routes import Place
from tests.matrix.stage import Stage


def answer(stage: Stage, place: Place, method: str, role: str) -> str:
    """What the role gets, as a table says it. Whatever it wrote is rolled back."""
    with transaction.atomic():
        before = AuditEvent.objects.count()
        found = _called(stage, place, method, role)
        written = "+" if AuditEvent.objects.count() > before else ""
        transaction.set_rollback(True)
    return found + written


def path_of(stage: Stage, place: Place, method: str) -> str:
    """The address that is called."""
    instead = sending.INSTEAD.get(f"{place.name} {method}", {})
    return place.path({**stage.things, **{part: stage.things[thing] for part, thing in instead.items()}})


def body_of(stage: Stage, key: str) -> Any:
    """What is sent."""
    return sending.filled(sending.BODY.get(key, {}), stage.things)


def _called(stage: Stage, place: Place, method: str, role: str) -> str:
    key, path, caller = f"{place.name} {method}", path_of(stage, place, method), stage.callers[role]
    client, body = caller.client(), body_of(stage, key)
    if query := sending.QUERY.get(key):
        path = f"{path}?{query}"
    if place.methods is not None:
        client.cookies.clear()
        sent, headers = json.dumps(body) if key in sending.BODY else "", caller.header(_scopes()[place.name])
        content = "application/json"
        return _code(client.generic(method, path, sent, content_type=content, headers=headers, RAW_URI=path))
    headers = caller.header(Scope.READ) if role in BY_TOKEN_ALONE else {}
    return _code(client.get(path, headers=headers) if method == "GET" else client.post(path, body, headers=headers))


def _code(response: Any) -> str:
    if response.streaming and "records.jsonl" not in response.request["PATH_INFO"]:  # that one waits for a worker
        for _chunk in response.streaming_content:
            pass
    is_login = response.status_code == 302 and response["Location"].startswith(reverse(settings.LOGIN_URL))
    return "login" if is_login else str(response.status_code)


@cache
def _scopes() -> dict[str, str]:
    """Which scope each call needs, as its router says."""
    paths = [path for _prefix, router in api._routers for path in router.path_operations.values()]
    operations: list[Any] = [one for path in paths for one in path.operations]
    return {one.view_func.__name__: str(one.auth_callbacks[0].scope) for one in operations}
