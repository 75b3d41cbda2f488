"""Finding groups among thousands."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries

from kafkaconsole.groups import queries
from kafkaconsole.groups.models import ConsumerGroup
from tests.groups.conftest import Scene


def names(scene: Scene, **asked: str) -> list[str]:
    return [group.name for group in queries.groups_for(scene.alice, scene.demo, **asked)]


def test_search_finds_parts_of_names_in_any_case(scene: Scene) -> None:
    for name in ("billing-eu", "Billing-us", "search", "100%"):
        scene.group(name)
    assert set(names(scene, search="BILL")) == {"Billing-us", "billing-eu"}
    assert names(scene, search="%") == ["100%"]


def test_filters_narrow_by_state_type_team_and_cluster(scene: Scene) -> None:
    scene.group("a", state="Stable", team=scene.billing)
    scene.group("b", type="share")
    scene.group("c", scene.other)
    assert names(scene, state="Stable") == ["a"]
    assert names(scene, type="share") == ["b"]
    assert names(scene, team="billing") == ["a"]
    assert names(scene, team="none") == ["b"]
    assert queries.groups_for(scene.alice).count() == 3


def test_unknown_lag_comes_last_in_both_directions(scene: Scene) -> None:
    scene.group("unknown")
    scene.group("small", lag=1)
    scene.group("large", lag=900)
    assert names(scene, sort="lag") == ["small", "large", "unknown"]
    assert names(scene, sort="-lag") == ["large", "small", "unknown"]


@pytest.mark.parametrize("sort", [*queries.SORTS, "no such order"])
def test_every_order_answers(scene: Scene, sort: str) -> None:
    scene.group("a")
    assert names(scene, sort=sort) == ["a"]


def test_missing_groups_are_shown_only_when_asked_for(scene: Scene) -> None:
    scene.group("gone", state="Missing")
    assert names(scene) == []
    assert names(scene, state="Missing") == ["gone"]


def test_nobody_who_is_not_signed_in_sees_a_group(scene: Scene) -> None:
    scene.group("a")
    assert not queries.groups_for(AnonymousUser()).exists()
    with pytest.raises(Http404):
        queries.group_for(AnonymousUser(), scene.demo, "a")


def test_groups_of_removed_clusters_are_not_shown(scene: Scene) -> None:
    scene.group("a")
    scene.demo.is_active = False
    scene.demo.save()
    assert names(scene) == []


def test_a_group_is_found_by_its_exact_name_only(scene: Scene) -> None:
    group = scene.group("a/b c")
    assert queries.group_for(scene.alice, scene.demo, "a/b c") == group
    for wrong in ("a/b", "A/B C"):
        with pytest.raises(Http404):
            queries.group_for(scene.alice, scene.demo, wrong)


def test_near_names_are_offered_for_a_mistyped_one(scene: Scene) -> None:
    for name in ("billing", "billing-eu", "search", "Bilings"):
        scene.group(name)
    assert set(queries.near_names(scene.alice, scene.demo, "biling")[:2]) == {"billing", "Bilings"}
    assert queries.near_names(scene.alice, scene.demo, "zzz") == []
    assert "billing" not in queries.near_names(scene.alice, scene.demo, "billing")


def test_a_list_of_ten_thousand_groups_takes_as_many_queries_as_of_ten(
    scene: Scene, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rows = [
        ConsumerGroup(
            cluster=scene.demo, name=f"group-{number:05}", type="classic", state="Empty", lag=number,
            team=scene.billing, first_seen_at=now(), last_seen_at=now(),
        )
        for number in range(10_000)
    ]  # fmt: skip
    ConsumerGroup.objects.bulk_create(rows, batch_size=2000)
    found = queries.groups_for(scene.alice, scene.demo, search="group", sort="-lag")
    with django_assert_num_queries(2):
        assert found.count() == 10_000
        shown = [
            (group.name, group.team.name if group.team else "", group.cluster.environment.name) for group in found[:50]
        ]
    assert shown[0] == ("group-09999", "Billing", "Test")
