"""An id in a path is plain digits: what merely reads as a number names nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest

from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import ApiToken
from kafkaconsole.api.urls import api as console_api
from kafkaconsole.resets.models import ResetRequest
from tests.api.calling import Api
from tests.records.scene import Scene

ID = re.compile(r"\{(\w+_id)\}")
OPERATIONS = sorted(
    (method.upper(), path.removeprefix("/api/v1"))
    for path, methods in console_api.get_openapi_schema(path_prefix="/api/v1/")["paths"].items()
    for method in methods
    if ID.search(path) and "{preview_id}" not in path
)
NO_IDS = ("1.0", "1.", "1e0", "+1", "-1", " 1", "1 ", "1_0", "0x1", "١", "１", "0", "1" * 20, "one")


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_what_is_no_plain_number_is_no_such_path(method: str, path: str, scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.carol)
    for written in NO_IDS:
        there = ID.sub(quote(written), path).replace("{cluster}", scene.cluster.name)
        answer = caller.call(method, there, {})
        assert (written, answer.status, answer.code) == (written, 404, "api.no_such_path")


def test_a_plain_number_names_its_request(planned: ResetRequest, scene: Scene, api: Callable[..., Api]) -> None:
    assert api(scene.alice).get(f"/requests/{planned.pk}").json["id"] == planned.pk


def test_a_token_is_not_ended_by_a_number_with_a_fraction(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.carol)
    token = ApiToken.objects.get(owner=scene.carol)
    assert caller.call("DELETE", f"/tokens/{token.pk}.0").status == 404
    assert tokens.authenticate(caller.token or "") is not None
    assert caller.call("DELETE", f"/tokens/{token.pk}").status == 204


def test_the_description_names_ids_as_numbers() -> None:
    paths = console_api.get_openapi_schema(path_prefix="/api/v1/")["paths"]
    assert "/api/v1/requests/{request_id}" in paths
    (parameter,) = [
        one for one in paths["/api/v1/requests/{request_id}"]["get"]["parameters"] if one["name"] == "request_id"
    ]
    assert parameter["schema"]["type"] == "integer"
    assert parameter["schema"]["minimum"] == 1
