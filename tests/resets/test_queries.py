"""Who sees which requests, the inbox, and the timeline; and who may read messages."""

from __future__ import annotations

import pytest
from django.http import Http404

from kafkaconsole.resets import actions, policies, queries
from kafkaconsole.resets.states import State
from tests import factories
from tests.scene import Scene


@pytest.mark.parametrize(
    ("name", "sees"),
    [("alice", True), ("amir", True), ("bob", True), ("carol", True), ("dave", False), ("eve", True)],
)
def test_a_request_is_seen_by_its_team_administrators_and_auditors(scene: Scene, name: str, sees: bool) -> None:
    request = factories.ask(scene.cast.alice)
    person = getattr(scene.cast, name)
    assert bool(policies.may_see(person, request)) is sees
    if sees:
        assert queries.request_for(person, request.pk) == request
    else:
        with pytest.raises(Http404):
            queries.request_for(person, request.pk)


def test_whoever_asked_sees_it_after_leaving_the_team(scene: Scene) -> None:
    request = factories.ask(scene.cast.alice)
    scene.cast.alice.memberships.all().delete()
    assert queries.request_for(scene.cast.alice, request.pk) == request


def test_requests_are_found_by_what_they_are_about(scene: Scene) -> None:
    planned = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    other = factories.ask(scene.cast.amir, change=factories.make_change(group="billing-mail"))
    find = queries.requests_for
    assert list(find(scene.cast.eve)) == [other, planned]
    assert list(find(scene.cast.eve, state="planned")) == [planned]
    assert list(find(scene.cast.eve, group="billing-mail", cluster="demo", team="billing")) == [other]
    assert list(find(scene.cast.eve, requester="alice")) == [planned]
    assert list(find(scene.cast.eve, cluster="elsewhere")) == []
    assert list(find(scene.cast.bob, waiting_for_me=True)) == [planned]


def test_the_inbox_holds_what_the_person_may_sign(scene: Scene) -> None:
    by_alice = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    by_bob = factories.plan(factories.ask(scene.cast.bob), scene.kafka)
    factories.ask(scene.cast.alice)
    assert list(queries.inbox_of(scene.cast.bob)) == [by_alice]
    assert list(queries.inbox_of(scene.cast.bora)) == [by_alice, by_bob]
    for name in ("alice", "carol", "dave", "eve"):
        assert list(queries.inbox_of(getattr(scene.cast, name))) == []
    factories.approve(by_alice, scene.cast.bora)
    assert list(queries.inbox_of(scene.cast.bora)) == [by_bob]


def test_the_inbox_takes_one_query_whatever_its_length(scene: Scene, django_assert_num_queries: object) -> None:
    for _ in range(3):
        factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    with django_assert_num_queries(1):  # type: ignore[operator]
        for request in queries.inbox_of(scene.cast.bob):
            assert all([str(request.cluster), str(request.team), request.the_plan.replayed, str(request.requester)])


def test_the_sign_off_says_what_is_needed_and_from_whom(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    assert policies.signoff_of(request) == policies.SignOff(1, 0, "an approver of Billing other than Alice")
    assert policies.signoff_of(factories.approve(request, scene.cast.bob)).given == 1
    assert list(queries.approvers_waited_for(request)) == [scene.cast.bob, scene.cast.bora]
    assert policies.signoff_of(actions.replan(request=request, by=scene.cast.alice)).given == 0


def test_the_timeline_tells_everything_once_in_order(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    actions.comment(request=request, by=scene.cast.bob, text="Why now?")
    actions.approve(request=request, by=scene.cast.bob, seen_digest=request.plan_digest, comment="Fine")
    request = factories.execute(request, scene.kafka)
    told = [(entry.kind, entry.verb, entry.text) for entry in queries.timeline_of(request)]
    assert told == [
        ("event", "reset.requested", ""),
        ("event", "reset.planned", ""),
        ("comment", "reset.commented", "Why now?"),
        ("approval", "reset.approved", "Fine"),
        ("attempt", "reset.executing", ""),
        ("event", "reset.applied", ""),
    ]


@pytest.mark.parametrize(
    ("name", "may"), [("amir", True), ("bob", True), ("carol", False), ("dave", False), ("eve", False)]
)
def test_messages_are_read_by_the_team_alone(scene: Scene, name: str, may: bool) -> None:
    request = factories.ask(scene.cast.alice)
    assert bool(policies.may_read_records(getattr(scene.cast, name), request)) is may


def test_messages_of_production_are_read_only_where_that_is_switched_on(scene: Scene) -> None:
    request = factories.ask(scene.cast.alice)
    environment = request.cluster.environment
    environment.is_production = True
    assert not policies.may_read_records(scene.cast.alice, request)
    environment.may_read_messages = True
    assert policies.may_read_records(scene.cast.alice, request)
