"""Every error is a problem document, whatever went wrong and wherever."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django.fixtures import Settings

from kafkaconsole.api.shapes.people import MeOut
from kafkaconsole.resets.models import ResetRequest
from tests.api.calling import Api
from tests.records.scene import Scene, change_json


def test_an_unknown_path_is_404(scene: Scene, api: Callable[..., Api]) -> None:
    answer = api(scene.alice).get("/nothing")
    assert (answer.status, answer.code) == (404, "api.no_such_path")


def test_a_wrong_method_is_405_and_names_the_right_ones(scene: Scene, api: Callable[..., Api]) -> None:
    answer = api(scene.alice).call("PUT", "/clusters/demo", {})
    assert (answer.status, answer.code) == (405, "api.method_not_allowed")
    assert "PATCH" in answer.headers["Allow"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"{", "Expecting"),
        (b'{"a": NaN}', "NaN"),
        (b'{"offset": 5, "offset": 0}', "'offset' more than once"),
        (b'{"strategy": {"kind": "to_latest", "kind": "to_earliest"}}', "'kind' more than once"),
        (b"[1]", "another kind"),
        (b'"text"', "another kind"),
        (b"\xff{}", "UTF-8"),
        (b'{"a": "\\ud800"}', "surrogate"),
        (b'{"a": ["\\u0000"]}', "NUL"),
        (b'{"a\\u0000": 1}', "NUL"),
        (b"[" * 100_000, ""),
        (b'{"a":' + b"[" * 60 + b"]" * 60 + b"}", "levels"),
        (b'{"a": ' + b"9" * 5000 + b"}", ""),
    ],
)
def test_a_body_that_is_no_usable_json_is_400(scene: Scene, api: Callable[..., Api], body: bytes, found: str) -> None:
    answer = api(scene.alice).call("POST", "/previews", body)
    assert (answer.status, answer.code) == (400, "api.bad_body")
    assert found in str(answer.json["facts"]["found"])


def test_no_body_is_422(scene: Scene, api: Callable[..., Api]) -> None:
    assert api(scene.alice).call("POST", "/previews", b"").status == 422


def test_a_body_that_is_too_large_is_413(scene: Scene, api: Callable[..., Api], settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = api(scene.alice).post("/previews", {"csv": "x" * 2000})
    assert (answer.status, answer.code) == (413, "api.body_too_large")


def test_a_field_that_is_wrong_is_named(scene: Scene, api: Callable[..., Api]) -> None:
    answer = api(scene.alice).post("/requests", {**change_json(), "reason": 7, "wish": 1})
    assert (answer.status, answer.code) == (422, "api.bad_parameters")
    assert {one["field"] for one in answer.json["facts"]["problems"]} == {"reason", "wish"}


def test_a_part_of_the_change_that_is_wrong_is_named(scene: Scene, api: Callable[..., Api]) -> None:
    change = {**change_json(), "strategy": {"kind": "to_offset", "offset": "first"}}
    answer = api(scene.alice).post("/previews", change)
    assert (answer.status, answer.code) == (422, "reset.bad_change")
    assert answer.json["facts"]["problems"][0]["field"] == "strategy.offset"


def test_a_bad_line_of_a_file_is_named(scene: Scene, api: Callable[..., Api]) -> None:
    strategy = {"kind": "from_file", "csv": "hello,0,1\nhello,one,2\n"}
    answer = api(scene.alice).post("/previews", {"cluster": "demo", "group": "billing", "strategy": strategy})
    assert answer.status == 422
    assert answer.json["facts"]["problems"][0]["line"] == 2


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/requests?limit=0", "limit"),
        ("/requests?limit=201", "limit"),
        ("/requests?limit=99999999999999999999999", "limit"),
        ("/requests?limit=ten", "limit"),
        ("/requests?state=everything", "state"),
        ("/requests?state=", "state"),
        ("/requests?cluster=", "cluster"),
        ("/requests?state=planned&state=failed", "state"),
        ("/requests?group=a%00b", "group"),
        ("/audit?from=2026-12-01", "from"),
        ("/audit?from=2026-12-01T00:00:00", "from"),
        ("/audit?from=0001-01-01T00:00:00Z", "from"),
        ("/audit?to=2026-13-01T00:00:00Z", "to"),
        ("/audit?to=1764547200", "to"),
        ("/clusters/demo/groups?sort=size", "sort"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_named(scene: Scene, api: Callable[..., Api], path: str, field: str) -> None:
    answer = api(scene.carol).get(path)
    assert answer.status == 422, answer.text
    assert answer.json["facts"]["problems"][0]["field"] == field


def test_a_misspelt_filter_does_not_widen_the_answer(scene: Scene, api: Callable[..., Api]) -> None:
    answer = api(scene.alice).get("/requests?stat=planned")
    assert (answer.status, answer.code) == (422, "api.unknown_parameter")
    assert "state" in answer.json["facts"]["expected"]


def test_what_one_may_not_see_is_404_like_what_is_not_there(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest
) -> None:
    outsider = api(scene.dave)
    assert outsider.get(f"/requests/{planned.pk}").code == outsider.get("/requests/99999").code == "api.not_found"


def test_a_bug_is_a_problem_too_and_tells_nothing_of_the_inside(
    scene: Scene, api: Callable[..., Api], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> object:
        raise RuntimeError("inside")

    monkeypatch.setattr(MeOut, "of", broken)
    answer = api(scene.alice).get("/me")
    assert (answer.status, answer.code) == (500, "api.failed")
    assert "inside" not in answer.text


def test_a_path_with_nul_names_nothing(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    for path in ("/clusters/a%00b", "/clusters/demo/groups/a%00b", "/clusters/demo/groups/a%FF"):
        assert caller.get(path).status == 404
