"""Ownership and claims over the API: the same actions and refusals as on the pages, each write once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kafkaconsole.groups.models import Claim, OwnershipRule
from kafkaconsole.teams.models import Membership
from tests.api.calling import Api
from tests.claims.test_answering import hide, sign_for_search
from tests.scene import Scene

RULE = {"kind": "prefix", "pattern": "ship", "team": "search"}
CLAIM = {"cluster": "demo", "group": "shipping", "team": "billing", "reason": "We run it"}
Call = Callable[..., Api]


def test_administrators_add_and_remove_rules_and_everyone_lists_them(scene: Scene, api: Call) -> None:
    carol, alice = api(scene.cast.carol), api(scene.cast.alice)
    made = carol.post("/ownership", RULE)
    assert made.status == 201
    assert made.json == {"id": made.json["id"], **RULE, "cluster": None, "environment": None}
    assert [one["pattern"] for one in alice.get("/ownership").json["items"]] == ["billing-", "ship"]
    assert (again := carol.post("/ownership", RULE)).status == 409 and again.code == "ownership.taken"
    assert alice.call("DELETE", f"/ownership/{made.json['id']}").status == 403
    assert carol.call("DELETE", f"/ownership/{made.json['id']}").status == 204
    assert carol.call("DELETE", f"/ownership/{made.json['id']}").status == 404


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"team": "nobody"}, 422, "ownership.bad_rule"),
        ({"environment": "nowhere"}, 422, "ownership.bad_rule"),
        ({"cluster": "demo", "environment": "staging"}, 422, "ownership.bad_rule"),
        ({"cluster": "nowhere"}, 404, "api.not_found"),
        ({"kind": "regex", "pattern": "("}, 422, "ownership.bad_rule"),
        ({"kind": "guess"}, 422, "api.bad_parameters"),
        ({"places": "all"}, 422, "api.bad_parameters"),
    ],
)
def test_a_rule_that_cannot_be_is_refused_by_its_field(
    scene: Scene,
    api: Call,
    wrong: dict[str, str],
    status: int,
    code: str,
) -> None:
    answer = api(scene.cast.carol).post("/ownership", {**RULE, **wrong})
    assert (answer.status, answer.code) == (status, code)
    assert OwnershipRule.objects.count() == 1


def test_the_tester_says_who_owns_it_and_why_the_others_do_not(scene: Scene, api: Call) -> None:
    carol = api(scene.cast.carol)
    for rule in ({**RULE, "cluster": "demo"}, {"kind": "glob", "pattern": "s*", "team": "billing"}):
        assert carol.post("/ownership", rule).status == 201
    said = api(scene.cast.alice).get("/clusters/demo/groups/shipping/owner").json
    assert (said["team"], said["is_tie"], [one["pattern"] for one in said["best"]]) == ("search", False, ["ship"])
    assert [(one["pattern"], one["why"]) for one in said["lost"]] == [("s*", "a beginning goes before it")]
    unowned = api(scene.cast.alice).get("/clusters/demo/groups/nobody-s/owner").json
    assert (unowned["team"], unowned["best"], unowned["lost"]) == (None, [], [])


def test_ties_are_told_to_administrators_and_the_tester_names_both(scene: Scene, api: Call) -> None:
    carol = api(scene.cast.carol)
    for pattern, team in (("?hipping", "billing"), ("s?ipping", "search")):
        assert carol.post("/ownership", {"kind": "glob", "pattern": pattern, "team": team}).status == 201
    said = carol.get("/clusters/demo/groups/shipping/owner").json
    assert said["is_tie"] and said["team"] is None
    assert {one["team"] for one in said["best"]} == {"billing", "search"}
    assert carol.get("/ownership/ties").json["items"] == [], "of groups that a sweep has seen"
    assert api(scene.cast.eve).get("/ownership/ties").status == 403


def test_a_claim_is_made_and_granted_once_under_its_key(scene: Scene, api: Call) -> None:
    alice, dave = api(scene.cast.alice), api(sign_for_search(scene))
    made = alice.post("/claims", CLAIM, Idempotency_Key="one")
    assert made.status == 201 and made.headers["Location"] == f"/api/v1/claims/{made.json['id']}"
    assert alice.post("/claims", CLAIM, Idempotency_Key="one").json == made.json
    assert alice.post("/claims", {**CLAIM, "reason": "Other"}, Idempotency_Key="one").status == 409
    assert (twice := alice.post("/claims", CLAIM)).status == 409 and twice.code == "claim.taken"
    path = f"/claims/{made.json['id']}"
    granted = dave.post(f"{path}/grant", {"comment": "Seen"}, Idempotency_Key="two")
    assert (granted.json["state"], granted.json["answered_by"], granted.json["comment"]) == ("granted", "dave", "Seen")
    assert dave.post(f"{path}/grant", {"comment": "Seen"}, Idempotency_Key="two").json == granted.json
    assert (late := dave.post(f"{path}/reject", {"comment": "No"})).status == 409 and late.code == "claim.closed"
    assert alice.get("/clusters/demo/groups/shipping/owner").json["team"] == "billing"
    assert OwnershipRule.objects.filter(pattern="shipping").count() == 1


def test_a_claim_is_rejected_with_why_listed_by_state_and_withdrawn(scene: Scene, api: Call) -> None:
    alice, carol = api(scene.cast.alice), api(scene.cast.carol)
    first = alice.post("/claims", CLAIM).json["id"]
    assert carol.post(f"/claims/{first}/reject", {}).code == "claim.bad"
    assert carol.post(f"/claims/{first}/reject", {"comment": "Search runs it"}).json["state"] == "rejected"
    second = alice.post("/claims", CLAIM).json["id"]
    assert [one["id"] for one in alice.get("/claims?state=open").json["items"]] == [second]
    assert [one["id"] for one in alice.get("/claims").json["items"]] == [second, first]
    assert alice.post(f"/claims/{second}/withdraw").json["state"] == "withdrawn"
    assert alice.get("/claims?state=lost").status == 422


@pytest.mark.parametrize(
    ("wrong", "status"),
    [({"group": "billing-orders"}, 403), ({"team": "search"}, 403), ({"team": "nobody"}, 422), ({"reason": ""}, 422),
     ({"cluster": "nowhere"}, 404)],
)  # fmt: skip
def test_a_claim_that_cannot_be_is_refused(
    scene: Scene,
    api: Call,
    wrong: dict[str, str],
    status: int,
) -> None:
    assert api(scene.cast.alice).post("/claims", {**CLAIM, **wrong}).status == status
    assert not Claim.objects.exists()


def test_what_is_not_shown_is_404_and_in_no_list(scene: Scene, api: Call) -> None:
    made = api(scene.cast.alice).post("/claims", CLAIM).json["id"]
    api(scene.cast.carol).post(
        "/ownership", {"kind": "name", "pattern": "secret", "team": "billing", "cluster": "demo"}
    )
    hide(scene)
    dave = api(sign_for_search(scene))
    for name in ("billing-orders", "nobody-s"):
        assert dave.get(f"/clusters/demo/groups/{name}/owner").status == 404
    assert dave.get(f"/claims/{made}").status == dave.post(f"/claims/{made}/grant", {}).status == 404
    assert dave.get("/claims").json["items"] == []
    assert [one["pattern"] for one in dave.get("/ownership").json["items"]] == ["billing-"]
    Membership.objects.create(user=scene.cast.dave, team=scene.cast.billing)
    assert {one["pattern"] for one in dave.get("/ownership").json["items"]} == {"billing-", "secret"}
