"""Groups and their history through the API."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import pytest
from django.utils import timezone

from kafkaconsole.groups.models import ConsumerGroup
from tests.api.calling import Api
from tests.records.scene import Scene

AWKWARD = [
    "billing/eu",
    "a/history",
    "history",
    ".",
    "..",
    "a b",
    "50%",
    "%2F",
    "a?b#c",
    "값",
    "a//b",
    "/",
    "a;b=c",
    "…",
]


def add_group(scene: Scene, name: str, lag: int | None = 5, state: str = "Empty") -> ConsumerGroup:
    now = timezone.now()
    return ConsumerGroup.objects.create(
        cluster=scene.cluster,
        name=name,
        type="classic",
        state=state,
        team=scene.billing,
        lag=lag,
        measured_at=now,
        first_seen_at=now,
        last_seen_at=now,
        members=[
            {
                "member_id": "m-1",
                "client_id": "c",
                "host": "/10.0.0.1",
                "instance_id": None,
                "partitions": [["hello", 0]],
            }
        ],
    )


def test_groups_are_listed_filtered_and_sorted(scene: Scene, api: Callable[..., Api]) -> None:
    for name, lag in (("billing", 5), ("billing-slow", 700), ("other", None)):
        add_group(scene, name, lag)
    caller = api(scene.dave)
    listed = caller.get("/clusters/demo/groups?search=bill&sort=-lag").json
    assert [one["group"] for one in listed["items"]] == ["billing-slow", "billing"]
    assert listed["items"][0]["team"] == "billing"
    assert caller.get("/clusters/demo/groups?team=none").json["items"] == []
    assert caller.get("/clusters/demo/groups?state=Stable").json["items"] == []


def test_lag_that_is_not_known_is_null(scene: Scene, api: Callable[..., Api]) -> None:
    add_group(scene, "new", lag=None)
    assert api(scene.dave).get("/clusters/demo/groups").json["items"][0]["lag"] is None


def test_pages_of_groups_follow_each_other(scene: Scene, api: Callable[..., Api]) -> None:
    for number in range(5):
        add_group(scene, f"g{number}")
    caller = api(scene.dave)
    found, path = [], "/clusters/demo/groups?limit=2"
    while path:
        page = caller.get(path).json
        found += [one["group"] for one in page["items"]]
        path = f"/clusters/demo/groups?limit=2&cursor={quote(page['next'])}" if page["next"] else ""
    assert found == ["g0", "g1", "g2", "g3", "g4"]


def test_a_group_shows_its_members_and_its_age(scene: Scene, api: Callable[..., Api]) -> None:
    add_group(scene, "billing")
    shown = api(scene.dave).get("/clusters/demo/groups/billing").json
    assert shown["members"][0]["partitions"] == [{"topic": "hello", "partition": 0}]
    assert shown["offsets"] == []
    assert shown["as_of"].endswith("Z")


@pytest.mark.parametrize("name", AWKWARD)
def test_any_name_works_as_one_segment(scene: Scene, api: Callable[..., Api], name: str) -> None:
    add_group(scene, name)
    path = f"/clusters/demo/groups/{quote(name, safe='')}"
    caller = api(scene.dave)
    assert caller.get(path).json["group"] == name
    assert caller.get(f"{path}/history").json["group"] == name


def test_a_group_or_cluster_that_nobody_saw_is_404(scene: Scene, api: Callable[..., Api]) -> None:
    caller = api(scene.dave)
    for path in ("/clusters/demo/groups/none", "/clusters/none/groups", "/clusters/none/groups/a", "/clusters/none"):
        assert caller.get(path).status == 404


def test_history_says_its_range_and_defaults_to_a_day(scene: Scene, api: Callable[..., Api]) -> None:
    add_group(scene, "billing")
    shown = api(scene.dave).get("/clusters/demo/groups/billing/history").json
    assert set(shown) == {"group", "from", "to", "series", "markers", "as_of"}
    asked = "from=2026-12-01T00:00:00Z&to=2026-12-01T06:00:00.5Z&topic=hello&step_s=60"
    ranged = api(scene.dave).get(f"/clusters/demo/groups/billing/history?{asked}").json
    assert (ranged["from"], ranged["to"]) == ("2026-12-01T00:00:00.000Z", "2026-12-01T06:00:00.500Z")
    assert ranged["series"][0]["topic"] == "hello"


@pytest.mark.parametrize(
    "query",
    [
        "from=2026-12-01T00:00:00Z&to=2026-11-01T00:00:00Z",
        "partition=0",
        "topic=hello&partition=-1",
        "topic=hello&partition=99999999999",
        "from=2020-01-01T00:00:00Z&step_s=1",
        "step_s=0",
    ],
)
def test_a_range_that_makes_no_sense_is_refused(scene: Scene, api: Callable[..., Api], query: str) -> None:
    add_group(scene, "billing")
    assert api(scene.dave).get(f"/clusters/demo/groups/billing/history?{query}").status == 422
