"""Whatever a request or a result says of itself is a sentence that names what was found and what to do."""

from __future__ import annotations

import inspect
from datetime import timedelta

import pytest
from django.utils import timezone

from kafkaconsole.errors import ConsoleError
from kafkaconsole.resets import refusals
from kafkaconsole.resets.life_sentences import LIFE
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.scene import Scene


def test_every_refusal_and_outcome_has_a_sentence() -> None:
    classes = [one for one in vars(refusals).values() if inspect.isclass(one) and issubclass(one, ConsoleError)]
    codes = {one.code for one in classes if one.__module__ == refusals.__name__}
    codes |= {value for name, value in vars(refusals).items() if name.isupper() and isinstance(value, str)}
    assert codes <= LIFE.keys()


@pytest.mark.parametrize(
    ("state", "part"),
    [
        (State.WAITING, "orders-1 on 10.0.0.7. Nothing was written. Stop its consumers"),
        (State.STALE, "the committed offset of hello-0 was 3 and is 1. Nothing was written. Plan again."),
        (State.PARTLY_APPLIED, "2 of 3 partitions were set; the others were not, the first is hello-0"),
        (State.FAILED, "Nothing was written on any of 3 partitions"),
        (State.UNCERTAIN, "not certain what became of 3 of 3 partitions"),
    ],
)
def test_a_request_says_why_it_is_where_it_is(scene: Scene, state: State, part: str) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    assert part in _said(factories.trouble(request))
    for row in factories.attempt_of(request).results.all() if request.attempts.exists() else ():
        assert row.problem is None or _said(row.problem)


def test_a_plan_that_refuses_says_where_and_why(scene: Scene) -> None:
    scene.kafka.lose_leader("hello", 1)
    request = factories.plan(factories.ask(scene.cast.alice), scene.kafka)
    assert (
        "1 of 3 partitions cannot be planned, the first is hello-1 (the partition has no leader now; try again when it has)"
        in _said(factories.trouble(request))
    )


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda kafka: kafka.remove_topic("hello"), "topic hello is gone"),
        (lambda kafka: kafka.add_topic("hello", 3), "topic hello was made again"),
        (
            lambda kafka: kafka.delete_records("hello", 2, before=2),
            "the target 0 of hello-2 is not in the log any more (2 to 3)",
        ),
        (lambda kafka: kafka.remove_group(factories.GROUP), "the group was Empty and is Missing"),
        (lambda kafka: setattr(kafka, "cluster_id", "other"), "the cluster's id was fake-cluster and is other"),
    ],
)
def test_a_stale_request_says_what_is_not_as_planned(scene: Scene, change: object, part: str) -> None:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    change(scene.kafka)  # type: ignore[operator]
    request = factories.execute(request, scene.kafka)
    assert part in _said(factories.trouble(request))


def test_a_request_before_its_time_says_when(scene: Scene) -> None:
    begins = timezone.now() + timedelta(hours=1)
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka, not_before=begins)
    assert begins.isoformat() in _said(factories.trouble(factories.execute(request, scene.kafka)))


def test_a_killed_workers_request_says_so(scene: Scene) -> None:
    request = factories.request_in(State.EXECUTING, scene.cast, scene.kafka)
    assert ResetRequest.objects.get(pk=request.pk).problem is None
    for code in (refusals.INTERRUPTED, refusals.NOT_SENT):
        assert "The worker stopped before" in sentence(code, {})


def _said(problem: dict[str, object]) -> str:
    facts = problem["facts"]
    assert isinstance(facts, dict)
    return sentence(str(problem["code"]), facts)
