"""What may have changed since the signature, and how long a request waits for its group: as the policy says."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from kafkaconsole.approvals import messages
from kafkaconsole.approvals.errors import BadPolicy
from kafkaconsole.approvals.terms import Terms, as_json, check, from_json
from kafkaconsole.resets.life_sentences import LIFE
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.approvals import making
from tests.scene import Scene


def approved(scene: Scene, **terms: object) -> ResetRequest:
    making.change_builtin(making.own(), terms=terms)
    return factories.request_in(State.APPROVED, scene.cast, scene.kafka)


def grow(scene: Scene, by: int) -> None:
    for number in range(by):
        scene.kafka.produce("hello", 0, b"later %d" % number)


@pytest.mark.parametrize(("growth", "grown"), [(None, 50), (2, 2), (0, 0)])
def test_a_log_that_grew_within_the_tolerance_is_no_new_plan(scene: Scene, growth: int | None, grown: int) -> None:
    request = approved(scene, log_growth=growth)
    grow(scene, grown)
    assert factories.execute(request, scene.kafka).state == "applied"


@pytest.mark.parametrize(("growth", "grown"), [(2, 3), (0, 1)])
def test_a_log_that_grew_beyond_it_makes_the_plan_stale(scene: Scene, growth: int, grown: int) -> None:
    request = approved(scene, log_growth=growth)
    grow(scene, grown)
    request = factories.execute(request, scene.kafka)
    assert (request.state, scene.kafka.commits) == ("stale", [])
    [difference] = factories.trouble(request)["facts"]["differences"]
    assert (difference["what"], difference["planned"], difference["found"]) == ("log_end", 3, 3 + grown)
    told = LIFE["reset.stale"]
    assert callable(told) and "more than the policy lets it grow" in told(factories.trouble(request)["facts"])


def waiting(scene: Scene, **terms: object) -> ResetRequest:
    request = approved(scene, **terms)
    scene.kafka.join(factories.GROUP, client_id="orders-1", host="10.0.0.7", topics=["hello"])
    return factories.execute(request, scene.kafka)


def test_it_waits_for_the_group_as_long_as_the_policy_says(scene: Scene) -> None:
    request = waiting(scene, wait_limit=timedelta(minutes=30))
    assert request.state == "waiting"
    began = timezone.now()
    with time_machine.travel(began + timedelta(minutes=29)):
        assert factories.execute(request, scene.kafka).state == "waiting"
    with time_machine.travel(began + timedelta(minutes=31)):
        request = factories.execute(request, scene.kafka)
    assert (request.state, scene.kafka.commits) == ("stale", [])
    trouble = factories.trouble(request)
    assert "still in use after 30min" in messages.sentence(trouble["code"], trouble["facts"])


def test_a_group_that_stops_in_time_is_reset(scene: Scene) -> None:
    request = waiting(scene, wait_limit=timedelta(minutes=30))
    scene.kafka.leave(factories.GROUP)
    with time_machine.travel(timezone.now() + timedelta(minutes=29)):
        assert factories.execute(request, scene.kafka).state == "applied"


def test_a_policy_may_let_it_not_wait_at_all(scene: Scene) -> None:
    assert waiting(scene, wait_limit=timedelta(0)).state == "stale"


def test_without_a_limit_it_waits_as_long_as_the_request_lives(scene: Scene) -> None:
    request = waiting(scene)
    with time_machine.travel(timezone.now() + timedelta(days=6)):
        assert factories.execute(request, scene.kafka).state == "waiting"


def test_terms_that_cannot_be_are_refused_and_others_come_back(scene: Scene) -> None:
    for wrong in (Terms(log_growth=-1), Terms(wait_limit=timedelta(seconds=90)), Terms(wait_limit=timedelta(days=-1))):
        with pytest.raises(BadPolicy):
            check(wrong)
    kept = Terms(log_growth=5, wait_limit=timedelta(0))
    check(kept)
    assert from_json(as_json(kept)) == kept
