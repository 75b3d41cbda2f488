"""The list of groups: search, filters, order, pages, age, and the same table on refresh."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.test import Client
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries

from tests.groups.conftest import Scene


def names_in(html: str) -> list[str]:
    return [unquote(name) for name in re.findall(r'<a class="mono" href="/groups/[^/]+/([^"]+)"', html)]


@pytest.fixture
def listed(scene: Scene, client: Client) -> Client:
    """Four groups; Alice is signed in."""
    scene.group(
        "billing", state="Stable", lag=5, time_lag_s=9.0, team=scene.billing, partitions_count=2, measured_at=now()
    )
    scene.group("billing-old", lag=900, time_lag_s=None, team=scene.billing, partitions_count=1, measured_at=now())
    scene.group(
        "search", cluster=scene.other, type="consumer", lag=0, time_lag_s=0.0, team=scene.search, partitions_count=4
    )
    scene.group("shipping", lag=None, partitions_count=0, measured_at=now() - timedelta(minutes=5))
    client.force_login(scene.alice)
    return client


def get(client: Client, **query: str) -> str:
    answer = client.get("/groups", query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_signed_out_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/groups").status_code == 302


def test_all_groups_stand_there_by_name(listed: Client) -> None:
    assert names_in(get(listed)) == ["billing", "billing-old", "search", "shipping"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"search": "BILL"}, ["billing", "billing-old"]),
        ({"cluster": "other"}, ["search"]),
        ({"state": "Stable"}, ["billing"]),
        ({"type": "consumer"}, ["search"]),
        ({"team": "billing"}, ["billing", "billing-old"]),
        ({"team": "none"}, ["shipping"]),
        ({"team": "billing", "state": "Empty"}, ["billing-old"]),
    ],
)
def test_each_filter_narrows_it(query: dict[str, str], expected: list[str], listed: Client) -> None:
    html = get(listed, **query)
    assert names_in(html) == expected
    assert "All groups" in html


@pytest.mark.parametrize(
    ("sort", "first"), [("-lag", "billing-old"), ("lag", "search"), ("-time_lag", "billing"), ("-name", "shipping")]
)
def test_each_order_puts_the_right_one_first(sort: str, first: str, listed: Client) -> None:
    html = get(listed, sort=sort)
    assert names_in(html)[0] == first
    assert "aria-sort=" in html


def test_head_of_the_column_turns_the_order_round(listed: Client) -> None:
    assert 'href="?search=s&amp;sort=lag"' in get(listed, search="s", sort="-lag")
    assert 'href="?search=s&amp;sort=-lag"' in get(listed, search="s", sort="lag")


def test_unknown_words_are_named_and_never_taken_for_everything_in_silence(listed: Client) -> None:
    assert "not one of the available choices" in get(listed, state="Flying")
    assert names_in(get(listed, sort="nonsense"))[0] == "billing"


def test_what_is_not_known_is_said_and_never_zero(listed: Client) -> None:
    shipping = get(listed, search="shipping")
    assert "no commit" in shipping
    assert "nobody" in shipping
    old = get(listed, search="billing-old")
    assert "not known" in old


def test_age_of_each_row_is_shown(listed: Client) -> None:
    assert "5 min ago" in get(listed, search="shipping")
    assert "never" in get(listed, search="search")


def test_nothing_that_matches_says_what_to_do(listed: Client) -> None:
    html = get(listed, search="zzz")
    assert "No group matches" in html
    assert 'href="/requests/new"' in html


def test_nothing_yet_teaches_the_next_step(scene: Scene, client: Client) -> None:
    client.force_login(scene.alice)
    assert "No groups yet" in get(client)
    scene.demo.delete()
    scene.other.delete()
    assert "No cluster yet" in get(client)


def test_refresh_gets_the_table_alone_with_its_filters(listed: Client) -> None:
    answer = listed.get("/groups", {"search": "bill"}, headers={"HX-Request": "true"})
    html = answer.content.decode()
    assert "<html" not in html
    assert 'hx-get="/groups?search=bill"' in html
    assert names_in(html) == ["billing", "billing-old"]


def test_many_groups_come_in_pages_and_cost_the_same(
    scene: Scene, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(120):
        scene.group(f"many-{number:03}", lag=number, team=scene.billing)
    client.force_login(scene.alice)
    with django_assert_max_num_queries(12):
        html = get(client, sort="-lag", page="2")
    assert names_in(html)[0] == "many-069"
    assert "51–100 of 120" in html
    assert "page=3" in html


def test_removed_cluster_takes_its_groups_from_the_list(scene: Scene, listed: Client) -> None:
    scene.demo.is_active = False
    scene.demo.save()
    assert names_in(get(listed)) == ["search"]
