"""A group's page: facts, tabs, who may ask, refresh, names that no sweep has seen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from kafkaconsole.kafka.values import TopicPartition
from kafkaconsole.resets.states import State
from tests.factories import at, hello, request_in
from tests.overview.conftest import Past

See = Callable[..., str]
PAGE = "/groups/demo/billing-orders"


@pytest.fixture
def swept(past: Past) -> Past:
    """`billing-orders` stands at 1 of 3 on each of three partitions, with one member."""
    past.scene.kafka.set_committed("billing-orders", {hello(number): at(1) for number in range(3)})
    past.sweep()
    past.sweep(timedelta(minutes=2))
    return past


def test_signed_out_visitor_is_sent_to_sign_in(client: Client, db: None) -> None:
    assert client.get(PAGE).status_code == 302


def test_facts_and_rulers_are_shown(swept: Past, see: See) -> None:
    html = see(swept.scene.cast.alice, PAGE)
    assert "hello-0: log from 0 to 3, stands at 1" in html
    assert "Lag <b>6</b>" in html
    assert "Billing" in html


def test_member_of_the_team_may_ask(swept: Past, see: See) -> None:
    html = see(swept.scene.cast.alice, PAGE)
    assert "/requests/new?cluster=demo&amp;group=billing-orders" in html


@pytest.mark.parametrize(
    ("who", "reason"), [("dave", "only its people"), ("carol", "only its people"), ("eve", "Auditors")]
)
def test_others_are_told_why_not(who: str, reason: str, swept: Past, see: See) -> None:
    html = see(getattr(swept.scene.cast, who), PAGE)
    assert reason in html
    assert "/requests/new?cluster=demo" not in html


def test_share_group_is_not_reset_here(swept: Past, see: See) -> None:
    group = swept.group()
    group.type = "share"
    group.save()
    assert "type share are not reset here" in see(swept.scene.cast.alice, PAGE)


def test_name_that_no_sweep_has_seen_offers_near_names_and_the_broker(swept: Past, see: See) -> None:
    html = see(swept.scene.cast.alice, "/groups/demo/billing-order", status=404)
    assert 'href="/groups/demo/billing-orders"' in html
    assert "Ask the broker" in html
    assert "/requests/new?cluster=demo&amp;group=billing-order" in html


def test_cluster_that_does_not_exist_is_a_404(swept: Past, see: See) -> None:
    assert "Ask the broker" not in see(swept.scene.cast.alice, "/groups/nowhere/billing-orders", status=404)


def test_partitions_are_searched_and_sorted(swept: Past, see: See) -> None:
    swept.scene.kafka.set_committed("billing-orders", {hello(2): at(0)})
    swept.sweep()
    alice = swept.scene.cast.alice
    html = see(alice, PAGE, tab="partitions", sort="lag")
    assert html.index("hello-2: log") < html.index("hello-0: log")
    html = see(alice, PAGE, tab="partitions", q="hello-1")
    assert "hello-1: log" in html
    assert "hello-0: log" not in html


def test_partition_without_a_commit_says_so(past: Past, see: See) -> None:
    past.scene.kafka.set_committed("billing-part", {hello(0): at(1)})
    past.sweep()
    html = see(past.scene.cast.alice, "/groups/demo/billing-part", tab="partitions")
    assert html.count("no commit</span>") == 2
    assert "2 partitions have no commit" in html


def test_members_are_shown_with_what_they_hold(swept: Past, see: See) -> None:
    swept.scene.kafka.join("billing-orders", client_id="orders-1", host="10.0.0.7", topics=["hello"])
    swept.sweep()
    html = see(swept.scene.cast.alice, PAGE, tab="members")
    assert "orders-1" in html
    assert "10.0.0.7" in html
    assert "1 member" in html


def test_group_without_members_says_that_a_reset_can_be_applied(swept: Past, see: See) -> None:
    assert "Nobody is in it" in see(swept.scene.cast.alice, PAGE, tab="members")


def test_requests_and_their_record_are_for_those_who_may_see_them(swept: Past, see: See) -> None:
    request = request_in(State.PLANNED, swept.scene.cast, swept.scene.kafka)
    cast = swept.scene.cast
    assert f'href="/requests/{request.pk}"' in see(cast.bob, PAGE, tab="requests")
    assert "reset.requested" in see(cast.bob, PAGE, tab="audit")
    assert "No requests" in see(cast.dave, PAGE, tab="requests")
    assert "Nothing recorded" in see(cast.dave, PAGE, tab="audit")


@pytest.mark.parametrize("part", ["head", "standing", "chart"])
def test_fragments_are_drawn_alone(part: str, swept: Past, see: See) -> None:
    html = see(swept.scene.cast.alice, PAGE, part=part)
    assert "<html" not in html


def test_text_of_a_group_is_never_markup(past: Past, see: See) -> None:
    past.scene.kafka.set_committed("billing-<script>", {hello(0): at(1)})
    past.sweep()
    html = see(past.scene.cast.alice, "/groups/demo/billing-<script>")
    assert "billing-<script>" not in html
    assert "billing-&lt;script&gt;" in html


def test_range_that_means_nothing_is_a_page_that_says_so(swept: Past, see: See) -> None:
    html = see(swept.scene.cast.alice, PAGE, status=422, range="2h")
    assert "expected one of 10m, 1h, 6h" in html


def test_page_costs_the_same_for_many_partitions(
    past: Past, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    past.scene.kafka.add_topic("wide", 300)
    wide = {TopicPartition("wide", number): at(0) for number in range(300)}
    past.scene.kafka.set_committed("billing-orders", wide)
    past.sweep()
    client.force_login(past.scene.cast.alice)
    with django_assert_max_num_queries(26):
        html = client.get(PAGE).content.decode()
    assert "the 10 with the largest lag of 303" in html
