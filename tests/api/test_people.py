"""Who one is, one's tokens, and the audit record."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from kafkaconsole.accounts.models import ApiToken
from kafkaconsole.audit import actions as audit
from tests.api.calling import Api
from tests.records.scene import Scene


def tomorrow() -> str:
    return (timezone.now() + timedelta(days=1)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_me_says_who_the_token_is(scene: Scene, api: Callable[..., Api]) -> None:
    assert api(scene.bob, "read", "approve").get("/me").json == {
        "username": "bob",
        "name": "Bob",
        "role": "member",
        "is_service": False,
        "teams": [{"team": "billing", "role": "approver"}],
        "scopes": ["approve", "read"],
    }


def test_a_token_is_made_used_listed_and_revoked(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.alice)
    made = caller.post("/tokens", {"name": "script", "scopes": ["read"], "expires_at": tomorrow()})
    assert made.status == 201
    script = Api(made.json["token"])
    assert script.get("/me").json["scopes"] == ["read"]
    listed = caller.get("/tokens").json["items"]
    assert listed[0]["name"] == "script" and "token" not in listed[0]
    assert made.json["token"] not in caller.get("/tokens").text
    assert caller.call("DELETE", f"/tokens/{made.json['id']}").status == 204
    assert script.get("/me").status == 401


def test_a_token_cannot_make_one_that_may_do_more(scene: Scene, api: Callable[..., Api]) -> None:
    body = {"name": "more", "scopes": ["read", "approve"], "expires_at": tomorrow()}
    answer = api(scene.bob, "admin", "read").post("/tokens", body)
    assert (answer.status, answer.code) == (403, "api.missing_scope")
    assert not ApiToken.objects.filter(name="more").exists()


def test_someone_elses_token_is_404(scene: Scene, api: Callable[..., Api]) -> None:
    api(scene.bob)
    theirs = ApiToken.objects.get(owner=scene.bob)
    assert api(scene.carol).call("DELETE", f"/tokens/{theirs.pk}").status == 404
    assert [one["id"] for one in api(scene.alice).get("/tokens").json["items"]] != [theirs.pk]


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"scopes": []},
        {"scopes": ["everything"]},
        {"expires_at": "2001-01-01T00:00:00Z"},
        {"expires_at": "2999-01-01T00:00:00Z"},
        {"expires_at": None},
    ],
)
def test_a_bad_token_is_refused(scene: Scene, api: Callable[..., Api], change: dict[str, object]) -> None:
    body = {"name": "script", "scopes": ["read"], "expires_at": tomorrow(), **change}
    assert api(scene.alice).post("/tokens", body).status == 422
    assert ApiToken.objects.count() == 1


def test_the_record_is_read_by_administrators_and_auditors(scene: Scene, api: Callable[..., Api]) -> None:
    with transaction.atomic():
        audit.record("cluster.changed", actor=scene.carol, target=scene.cluster, facts={"title": ["A", "B"]})
    for person in (scene.eve, scene.carol):
        [event] = api(person).get(f"/audit?verb=cluster.&actor=carol&target=cluster:{scene.cluster.pk}").json["items"]
        assert (event["verb"], event["actor"], event["facts"]) == ("cluster.changed", "Carol", {"title": ["A", "B"]})
    assert api(scene.eve).get("/audit?verb=cluster.&to=2001-01-01T00:00:00Z").json["items"] == []
    checked = api(scene.eve).get("/audit/verify").json
    assert checked["whole"] is True and checked["checked"] >= 1


@pytest.mark.parametrize("path", ["/audit", "/audit/verify"])
def test_others_may_not_and_are_told_who_may(scene: Scene, api: Callable[..., Api], path: str) -> None:
    answer = api(scene.bob).get(path)
    assert (answer.status, answer.code) == (403, "console.not_allowed")
    assert "auditors" in answer.json["detail"]
