"""The search box: groups, requests, clusters, teams, pages; never what the person may not see."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client

from kafkaconsole.overview.pages.search import SHOWN, find
from kafkaconsole.resets.states import State
from tests.factories import at, hello, request_in
from tests.overview.conftest import Past
from tests.scene import Scene

See = Callable[..., str]


def test_part_of_a_name_finds_groups_in_any_case(past: Past) -> None:
    past.sweep()
    found = find(past.scene.cast.alice, "ORDERS")
    assert [one.name for one in found.groups] == ["billing-orders"]


def test_number_finds_the_request_with_or_without_a_hash(scene: Scene) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    for text in (str(request.pk), f"#{request.pk}", f" {request.pk} "):
        assert [one.request.pk for one in find(scene.cast.alice, text).requests] == [request.pk]


def test_name_of_a_group_finds_its_requests(scene: Scene) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    assert [one.request.pk for one in find(scene.cast.alice, "billing-orders").requests] == [request.pk]


def test_outsider_does_not_find_the_request(scene: Scene) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    assert find(scene.cast.dave, str(request.pk)).requests == []


def test_clusters_teams_and_pages_are_found(scene: Scene) -> None:
    assert [one.name for one in find(scene.cast.alice, "demo").clusters] == ["demo"]
    assert [one.slug for one in find(scene.cast.alice, "bill").teams] == ["billing"]
    assert [one.address for one in find(scene.cast.alice, "inbox").pages] == ["/inbox"]


def test_audit_page_is_found_only_by_those_who_may_read_it(scene: Scene) -> None:
    assert find(scene.cast.alice, "audit").pages == []
    assert [one.address for one in find(scene.cast.eve, "audit").pages] == ["/audit"]


def test_odd_texts_find_nothing_and_break_nothing(scene: Scene, see: See) -> None:
    for text in ("", "   ", "a\0b", "٣", "9" * 30, "%", "'"):
        assert "</html>" in see(scene.cast.alice, "/search", q=text)


def test_many_matches_lead_to_the_list(past: Past, see: See) -> None:
    for number in range(SHOWN + 5):
        past.scene.kafka.set_committed(f"many-{number}", {hello(0): at(1)})
    past.sweep()
    found = find(past.scene.cast.alice, "many")
    assert (len(found.groups), found.more_groups) == (SHOWN, True)
    assert "all that match" in see(past.scene.cast.alice, "/search", q="many")


def test_nothing_found_says_what_to_do(scene: Scene, see: See) -> None:
    html = see(scene.cast.alice, "/search", q="zzz")
    assert "Nothing found" in html
    assert 'href="/requests/new"' in html


def test_search_asks_for_a_sign_in(client: Client, db: None) -> None:
    assert client.get("/search?q=a").status_code == 302
