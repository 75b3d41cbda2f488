"""The home page: what waits, what was asked, what was applied, what does not answer; and the first steps."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from kafkaconsole.clusters.models import Health
from kafkaconsole.resets.states import State
from tests.factories import Cast, ask, plan, request_in
from tests.scene import Scene

See = Callable[..., str]


def test_signed_out_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    answer = client.get("/")
    assert answer.status_code == 302
    assert "/accounts/login/" in answer["Location"]


def test_fresh_installation_teaches_the_administrator_the_next_step(cast: Cast, see: See) -> None:
    html = see(cast.carol, "/")
    assert "watches nothing yet" in html
    assert 'href="/clusters/new"' in html


def test_fresh_installation_tells_others_who_can_go_on(cast: Cast, see: See) -> None:
    html = see(cast.alice, "/")
    assert "An administrator adds a cluster" in html
    assert 'href="/clusters/new"' not in html


def test_approver_sees_what_waits_with_its_impact(scene: Scene, see: See) -> None:
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    html = see(scene.cast.bob, "/")
    assert f'href="/requests/{request.pk}"' in html
    assert "9 read again" in html
    assert "none skipped" in html
    assert "Nothing waits for you" not in html


def test_requester_sees_what_they_asked_for_and_its_state(scene: Scene, see: See) -> None:
    request_in(State.PLANNED, scene.cast, scene.kafka)
    html = see(scene.cast.alice, "/")
    assert "Nothing waits for you" in html
    assert "Waits for sign-off" in html
    assert "You have asked for nothing yet" not in html


def test_member_who_asked_for_nothing_is_shown_the_way(scene: Scene, see: See) -> None:
    html = see(scene.cast.amir, "/")
    assert "You have asked for nothing yet" in html
    assert "Nothing was applied" in html


def test_applied_resets_are_shown_to_the_team_and_not_to_others(scene: Scene, see: See) -> None:
    request_in(State.APPLIED, scene.cast, scene.kafka)
    assert "Nothing was applied" not in see(scene.cast.amir, "/")
    assert "Nothing was applied" in see(scene.cast.dave, "/")


def test_cluster_that_does_not_answer_says_why(scene: Scene, see: See) -> None:
    scene.cluster.health = Health.UNREACHABLE
    scene.cluster.problem = {"code": "kafka.unavailable", "facts": {"reason": "nothing_listens"}}
    scene.cluster.save()
    html = see(scene.cast.carol, "/")
    assert "does not answer" in html
    assert "Nothing listens at the address" in html
    html = see(scene.cast.bob, "/")
    line = html.index("1 cluster does not answer:")
    assert line > html.index("Waits for your signature"), "what a person can do something about comes first"
    assert "Nothing listens at the address" not in html


@pytest.mark.parametrize("who", ["alice", "bob", "carol", "dave", "eve"])
def test_everyone_has_a_home_page(who: str, scene: Scene, see: See) -> None:
    request_in(State.STALE, scene.cast, scene.kafka)
    assert "Hello," in see(getattr(scene.cast, who), "/")


def test_refresh_gets_the_live_part_alone(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.alice)
    html = client.get("/", headers={"HX-Request": "true"}).content.decode()
    assert 'id="home"' in html
    assert "<html" not in html


def test_home_costs_the_same_however_much_waits(
    scene: Scene, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(6):
        plan(ask(scene.cast.alice), scene.kafka)
    client.force_login(scene.cast.bob)
    with django_assert_max_num_queries(26):
        html = client.get("/").content.decode()
    assert html.count('aria-labelledby="waiting-') == 5  # four, and the section
