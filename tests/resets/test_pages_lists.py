"""The list, the inbox, and a plan of ten thousand lines."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from kafkaconsole.resets.models import Plan, PlanLine, ResetRequest
from kafkaconsole.resets.pages.lines import PAGE_SIZE, page_of_lines
from kafkaconsole.resets.pages.sums import lag_after, lanes_of
from kafkaconsole.resets.plans import Action
from kafkaconsole.resets.states import State
from tests import factories
from tests.factories import make_change, request_in
from tests.scene import Scene


def numbers_in(html: str) -> list[int]:
    return [int(found) for found in re.findall(r'<a href="/requests/(\d+)">', html)]


@pytest.fixture
def some(scene: Scene) -> dict[State, ResetRequest]:
    states = (State.PLANNED, State.REJECTED, State.CANCELLED)
    return {state: request_in(state, scene.cast, scene.kafka) for state in states}


def test_the_list_shows_the_newest_first(some: dict[State, ResetRequest], scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.amir)
    found = numbers_in(client.get("/requests").content.decode())
    assert found == sorted((one.pk for one in some.values()), reverse=True)


def test_the_list_narrows_by_each_filter(some: dict[State, ResetRequest], scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.amir)
    rejected = some[State.REJECTED].pk
    assert numbers_in(client.get("/requests", {"state": "rejected"}).content.decode()) == [rejected]
    assert len(numbers_in(client.get("/requests", {"group": "billing-orders"}).content.decode())) == 3
    for nothing in ({"group": "billing-other"}, {"requester": "bob"}):
        html = client.get("/requests", nothing).content.decode()
        assert numbers_in(html) == []
        assert "No request matches" in html


def test_an_unknown_filter_is_named_and_shows_nothing_wrong(scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.amir)
    answer = client.get("/requests", {"state": "flying"})
    assert answer.status_code == 200
    assert "not one of the available choices" in answer.content.decode()


def test_an_outsider_sees_none_of_them(some: dict[State, ResetRequest], scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.dave)
    html = client.get("/requests").content.decode()
    assert numbers_in(html) == []
    assert "No requests yet" in html


def test_the_inbox_holds_what_an_approver_may_sign(
    some: dict[State, ResetRequest], scene: Scene, client: Client
) -> None:
    client.force_login(scene.cast.bob)
    html = client.get("/inbox").content.decode()
    assert numbers_in(html) == [some[State.PLANNED].pk]
    assert "9 offsets read again" in html
    assert "none skipped" in html
    client.force_login(scene.cast.alice)
    assert "Nothing waits for you" in client.get("/inbox").content.decode()


def test_the_inbox_costs_the_same_however_much_waits(
    scene: Scene, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(6):
        factories.plan(factories.ask(scene.cast.alice), scene.kafka)
    client.force_login(scene.cast.bob)
    with django_assert_max_num_queries(16):
        assert len(numbers_in(client.get("/inbox").content.decode())) == 6


@pytest.fixture
def large(scene: Scene) -> ResetRequest:
    """A plan of 10,000 lines: even partitions go back by their number, odd ones go forward by one."""
    scene.kafka.add_topic("wide", 1)
    request = request_in(State.PLANNED, scene.cast, scene.kafka)
    plan = Plan.objects.get(requests=request)
    plan.pk = None
    plan.partitions_count = plan.changed_count = 10_000
    plan.save()
    PlanLine.objects.bulk_create(
        PlanLine(
            plan=plan, topic="wide", partition=number, log_start=10, log_end=20_010, committed=10_010,
            target=10_010 - number if number % 2 == 0 else 10_011, action=Action.SET,
            replayed=number if number % 2 == 0 else 0, skipped=number % 2,
        )
        for number in range(10_000)
    )  # fmt: skip
    ResetRequest.objects.filter(pk=request.pk).update(plan=plan)
    request.refresh_from_db()
    return request


def test_ten_thousand_lines_are_shown_a_page_at_a_time(large: ResetRequest, scene: Scene, client: Client) -> None:
    client.force_login(scene.cast.bob)
    html = client.get(f"/requests/{large.pk}").content.decode()
    assert html.count('class="ruler-cell"') == PAGE_SIZE
    assert "Lines 1–50 of 10,000" in html
    assert len(html) < 400_000
    fragment = client.get(f"/requests/{large.pk}", {"page": "200"}, headers={"HX-Target": "plan"}).content.decode()
    assert "Lines 9,951–10,000 of 10,000" in fragment
    assert "<html" not in fragment


def test_lines_are_found_and_sorted(large: ResetRequest) -> None:
    assert large.plan is not None
    plan = large.plan
    assert [line.partition for line in page_of_lines(plan, {"q": "wide-77"})] == [77]
    assert [line.partition for line in page_of_lines(plan, {"q": "4321"})] == [4321]
    assert page_of_lines(plan, {"q": "nothing"}).paginator.count == 0
    assert page_of_lines(plan, {"sort": "replayed"}).object_list[0].partition == 9998
    assert page_of_lines(plan, {"sort": "skipped"}).object_list[0].partition == 1
    assert page_of_lines(plan, {"page": "999999"}).number == 200
    assert page_of_lines(plan, {"page": "x", "sort": "DROP TABLE"}).number == 1


def test_a_plan_that_goes_both_ways_has_a_lane_for_each(large: ResetRequest) -> None:
    assert large.plan is not None
    back, forward = lanes_of(large.plan)
    assert (back.direction, back.partitions, back.moved) == ("replay", 4999, sum(range(0, 10_000, 2)))
    assert (forward.direction, forward.partitions, forward.moved) == ("skip", 5000, 5000)
    assert back.committed - back.target == back.moved
    assert forward.target - forward.committed == forward.moved
    assert back.log_start == 1, "retention has deleted something, so the ruler shows its edge"
    assert lag_after(large.plan) == sum(10_000 + n if n % 2 == 0 else 9_999 for n in range(10_000))


def test_a_plan_that_moves_nothing_still_shows_where_the_group_stands(scene: Scene) -> None:
    change = make_change(strategy={"kind": "to_current"})
    request = factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka)
    assert request.plan is not None
    (lane,) = lanes_of(request.plan)
    assert (lane.direction, lane.moved, lane.partitions) == ("none", 0, 3)
    assert lane.committed == lane.target == lane.log_end
