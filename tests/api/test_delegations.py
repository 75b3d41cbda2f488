"""Delegations over the API."""

from __future__ import annotations

from collections.abc import Callable

from tests.api.calling import Api
from tests.records.scene import Scene

WEEK = {"starts_at": "2030-01-07T09:00:00+09:00", "ends_at": "2030-01-14T09:00:00+09:00"}


def test_a_delegation_is_made_listed_and_ended(scene: Scene, api: Callable[..., Api]) -> None:
    bob = api(scene.bob)
    made = bob.post("/delegations", {"to": "alice", "team": "billing", **WEEK})
    assert made.status == 201
    assert (made.json["by"], made.json["to"], made.json["starts_at"]) == ("bob", "alice", "2030-01-07T00:00:00.000Z")
    again = bob.post("/delegations", {"to": "alice", **WEEK})
    assert (again.status, again.json["code"]) == (409, "delegation.overlaps")
    assert "End that first" in again.json["detail"]
    assert [one["id"] for one in bob.get("/delegations").json["items"]] == [made.json["id"]]
    ended = bob.post(f"/delegations/{made.json['id']}/end", {})
    assert (ended.status, ended.json["ended_at"] is not None) == (200, True)
    over = bob.post(f"/delegations/{made.json['id']}/end", {})
    assert (over.status, over.json["code"]) == (409, "delegation.over")


def test_what_cannot_be_used_is_named(scene: Scene, api: Callable[..., Api]) -> None:
    bob = api(scene.bob)
    for sent, field in (({"to": "nobody"}, "to"), ({"to": "alice", "team": "none"}, "team"), ({"to": "bob"}, "to")):
        refused = bob.post("/delegations", {**sent, **WEEK})
        assert (refused.status, refused.json["facts"]["field"]) == (422, field)
