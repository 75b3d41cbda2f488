"""Policies over the API: everyone reads, administrators write, versions are kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kafkaconsole.approvals import queries
from kafkaconsole.approvals.models import Policy
from tests.api.calling import Api
from tests.approvals import making
from tests.records.scene import Scene

TWO: dict[str, object] = {
    "name": "Two",
    "cluster": "demo",
    "group": {"kind": "prefix", "pattern": "bill"},
    "strategies": ["to_latest"],
    "level": "raised",
    "needs": [{"count": 2}, {"of": "team", "team": "billing", "least": "owner"}],
    "requester_may_count": True,
    "terms": {"ticket_needed": True, "ticket_pattern": "OPS-#", "approval_life_s": 3600},
    "note": "As agreed",
}


def test_everyone_reads_the_builtin_policy(scene: Scene, api: Callable[..., Api]) -> None:
    answer = api(scene.dave).get("/policies").json
    [policy] = answer["items"]
    assert (policy["name"], policy["is_builtin"], policy["version"]) == ("Everything else", True, 1)
    assert policy["needs"] == [{"count": 1, "of": "own_team", "least": "approver", "team": None}]
    assert (policy["applies_to"], policy["signs"]) == ("everything", "an approver of the owning team")
    assert api(scene.dave).get(f"/policies/{policy['id']}").json == policy | {"versions": [policy], "proposed": None}


def test_an_administrator_adds_changes_and_switches_off(scene: Scene, api: Callable[..., Api]) -> None:
    carol = api(scene.carol)
    added = carol.post("/policies", TWO)
    assert added.status == 201
    told = added.json
    assert {name: told[name] for name in ("cluster", "group", "strategies", "level", "note")} == {
        name: TWO[name] for name in ("cluster", "group", "strategies", "level", "note")
    }
    assert told["terms"]["approval_life_s"] == 3600
    assert [(one["count"], one["of"], one["team"]) for one in told["needs"]] == [
        (2, "own_team", None),
        (1, "team", "billing"),
    ]
    path = added.headers["Location"].removeprefix("/api/v1")
    body = {name: value for name, value in TWO.items() if name != "name"} | {"needs": [], "seen": 1}
    changed = carol.call("PUT", path, body)
    assert (changed.status, changed.json["version"], changed.json["needs"]) == (200, 2, [])
    assert [one["version"] for one in changed.json["versions"]] == [2, 1]
    again = carol.call("PUT", path, body)
    assert (again.status, again.code) == (409, "policy.moved_on")
    off = carol.post(f"{path}/off", {"seen": 2})
    assert (off.status, off.json["is_active"]) == (200, False)
    assert [one.name for one in queries.in_force()] == ["Everything else"]


@pytest.mark.parametrize("person", ["alice", "bob", "dave", "eve"])
def test_nobody_else_writes_policies(scene: Scene, api: Callable[..., Api], person: str) -> None:
    caller, path = api(getattr(scene, person)), f"/policies/{Policy.objects.get().pk}"
    for method, address, body in (
        ("POST", "/policies", TWO),
        ("PUT", path, {"seen": 1, "needs": []}),
        ("POST", f"{path}/off", {"seen": 1}),
    ):
        answer = caller.call(method, address, body)
        assert (answer.status, answer.code) == (403, "console.not_allowed")
    assert Policy.objects.get().versions.count() == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"cluster": "nowhere"}, "cluster"),
        ({"cluster": None, "environment": "nowhere"}, "environment"),
        ({"environment": "test"}, "environment"),
        ({"team": "nobody"}, "team"),
        ({"needs": [{"of": "team"}]}, "needs"),
        ({"needs": [{"of": "own_team", "team": "billing"}]}, "needs"),
        ({"needs": [{"of": "team", "team": "nobody"}]}, "needs"),
        ({"strategies": ["to_nowhere"]}, "strategies"),
        ({"terms": {"approval_life_s": 90}}, "approval_life"),
        ({"terms": {"ticket_pattern": "*****"}}, "ticket_pattern"),
    ],
)
def test_what_is_no_policy_is_422_with_its_field(
    scene: Scene, api: Callable[..., Api], wrong: dict[str, object], field: str
) -> None:
    answer = api(scene.carol).post("/policies", TWO | wrong)
    assert (answer.status, answer.code, answer.json["facts"]["field"]) == (422, "policy.bad", field)
    assert not Policy.objects.filter(name="Two").exists()


def test_what_is_not_there_is_404_and_a_misspelt_field_is_refused(scene: Scene, api: Callable[..., Api]) -> None:
    carol = api(scene.carol)
    assert carol.get("/policies/999").status == 404
    assert carol.call("PUT", "/policies/999", {"seen": 1, "needs": []}).status == 404
    assert carol.post("/policies", TWO | {"quorum": 3}).status in (400, 422)


def test_a_list_goes_on_with_its_cursor(scene: Scene, api: Callable[..., Api]) -> None:
    making.make_policy("High", making.own(2), level="high")
    making.make_policy("Raised", making.own(2), level="raised")
    dave = api(scene.dave)
    first = dave.get("/policies?limit=2").json
    rest = dave.get(f"/policies?limit=2&cursor={first['next']}").json
    assert [one["name"] for one in first["items"] + rest["items"]] == ["Everything else", "High", "Raised"]
    assert rest["next"] is None
