"""The API is English, whatever language the caller's browser or library prefers (docs/decisions/0044)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from kafkaconsole.resets.models import ResetRequest
from tests.api.calling import Api
from tests.records.scene import Scene, change_json

HANGUL = re.compile("[가-힣]")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
DECISION = {"digest": "0" * 64}
BAD_CHANGE = change_json() | {"strategy": {"kind": "by_duration", "duration": "P1M"}}

CALLS: dict[str, tuple[str, str, object]] = {
    "a refusal with its reason": ("POST", "/requests/{id}/approve", DECISION),
    "an outdated digest": ("POST", "/requests/{id}/reject", DECISION | {"comment": "No"}),
    "a field that is not right": ("POST", "/previews", BAD_CHANGE),
    "something that is not there": ("GET", "/requests/404", None),
    "a parameter that is unknown": ("GET", "/requests?nothing=1", None),
    "a plan": ("GET", "/requests/{id}", None),
    "a list": ("GET", "/requests", None),
    "a cluster": ("GET", "/clusters/demo", None),
    "policies": ("GET", "/policies", None),
}


@pytest.mark.parametrize("what", CALLS)
def test_an_answer_is_the_same_in_every_language(
    scene: Scene, api: Callable[..., Api], planned: ResetRequest, what: str
) -> None:
    method, path, body = CALLS[what]
    told = {}
    for language in ("en", "ko"):
        answer = api(scene.alice).call(method, path.format(id=planned.pk), body, Accept_Language=language)
        told[language] = (answer.status, INSTANT.sub("then", answer.text))
    assert told["ko"] == told["en"]
    assert HANGUL.search(told["ko"][1]) is None


def test_a_call_without_a_token_is_refused_in_english(scene: Scene) -> None:
    answer = Api("wrong").get("/me", Accept_Language="ko")
    assert answer.status == 401
    assert HANGUL.search(answer.text) is None
