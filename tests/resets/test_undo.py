"""Undoing: a new request for what was there before, under the same policy, whatever happened since."""

from __future__ import annotations

import pytest

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import NotAllowed
from kafkaconsole.kafka.values import Committed, Offset
from kafkaconsole.resets import actions, policies
from kafkaconsole.resets.messages import sentence
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.factories import hello
from tests.scene import Scene

GROUP = factories.GROUP
THEIRS = Committed(Offset(2), "their text \0", 5)


@pytest.fixture
def applied(scene: Scene) -> ResetRequest:
    """hello-0 had no commit, hello-1 had one with text and epoch; all went to the earliest."""
    held = scene.kafka.group(GROUP).committed
    del held[hello(0)]
    held[hello(1)] = THEIRS
    return factories.request_in(State.APPLIED, scene.cast, scene.kafka)


def undone(scene: Scene, request: ResetRequest) -> ResetRequest:
    """Alice asks, a worker plans."""
    return factories.plan(actions.undo(request=request, by=scene.cast.alice, reason="A mistake"), scene.kafka)


def test_what_the_group_had_comes_back_whole_and_what_it_had_not_is_deleted(
    scene: Scene, applied: ResetRequest
) -> None:
    assert factories.offsets_in(scene.kafka) == [0, 0, 0]
    undoing = undone(scene, applied)
    assert (undoing.state, undoing.undo_of) == ("planned", applied)
    assert undoing.change["strategy"] == {"kind": "restore", "snapshot": factories.attempt_of(applied).pk}
    request = factories.execute(factories.approve(undoing, scene.cast.bob), scene.kafka)
    assert request.state == "applied"
    held = scene.kafka.group(GROUP).committed
    assert held == {hello(1): THEIRS, hello(2): factories.at(3)}


def test_it_needs_the_same_signature_as_any_reset(scene: Scene, applied: ResetRequest) -> None:
    undoing = undone(scene, applied)
    assert not policies.may_approve(scene.cast.alice, undoing)
    assert policies.may_approve(scene.cast.bob, undoing)
    assert not undoing.approvals.exists()


def test_both_requests_are_in_the_record(scene: Scene, applied: ResetRequest) -> None:
    undoing = undone(scene, applied)
    asked, planned = AuditEvent.objects.filter(target_id=str(undoing.pk)).order_by("number")
    event = AuditEvent.objects.get(verb="reset.undo_requested")
    assert (asked.verb, planned.verb) == ("reset.requested", "reset.planned")
    assert (event.actor_name, event.target_id) == ("Alice", str(applied.pk))
    assert event.facts == {"undone_by": undoing.pk, "attempt": 1, "reason": "A mistake"}


@pytest.mark.parametrize("name", ["dave", "eve", "carol"])
def test_people_who_may_not_ask_may_not_undo(scene: Scene, applied: ResetRequest, name: str) -> None:
    with pytest.raises(NotAllowed):
        actions.undo(request=applied, by=getattr(scene.cast, name), reason="A mistake")
    assert ResetRequest.objects.count() == 1


@pytest.mark.parametrize("state", [State.PLANNED, State.APPROVED, State.FAILED, State.REJECTED, State.UNCERTAIN])
def test_only_what_was_applied_can_be_undone(scene: Scene, state: State) -> None:
    request = factories.request_in(state, scene.cast, scene.kafka)
    with pytest.raises(NotAllowed) as caught:
        actions.undo(request=request, by=scene.cast.alice, reason="A mistake")
    assert "only what was applied" in str(caught.value.facts["reason"])


def test_a_second_undo_waits_until_the_first_has_come_to_nothing(scene: Scene, applied: ResetRequest) -> None:
    first = undone(scene, applied)
    with pytest.raises(NotAllowed) as caught:
        actions.undo(request=applied, by=scene.cast.amir, reason="Me too")
    assert f"Request {first.pk} undoes this already" in str(caught.value.facts["reason"])
    actions.cancel(request=first, by=scene.cast.alice)
    assert actions.undo(request=applied, by=scene.cast.amir, reason="Now").undo_of == applied


def test_of_a_part_only_what_was_written_is_put_back(scene: Scene) -> None:
    partly = factories.request_in(State.PARTLY_APPLIED, scene.cast, scene.kafka)
    scene.kafka.forget_answers()
    undoing = undone(scene, partly)
    assert undoing.change["scope"] == {"topics": [{"topic": "hello", "partitions": [1, 2]}]}
    assert undoing.plan is not None and [line.target for line in undoing.plan.lines.all()] == [3, 3]


def test_a_group_that_has_read_on_is_told_of_with_both_numbers(scene: Scene, applied: ResetRequest) -> None:
    scene.kafka.set_committed(GROUP, {hello(1): factories.at(1)})
    plan = undone(scene, applied).the_plan
    (warning,) = (one for one in plan.warnings if one["code"] == "moved_since")
    told = sentence(warning["code"], warning["facts"])
    assert "on 1 partition: hello-1 had 2, was set to 0 and is at 1." in told


def test_a_topic_made_again_since_refuses_the_plan(scene: Scene, applied: ResetRequest) -> None:
    scene.kafka.add_topic("hello", 3)
    undoing = undone(scene, applied)
    assert (undoing.state, factories.trouble(undoing)["facts"]["why"]) == ("plan_failed", "topic_made_again")


def test_a_snapshot_of_another_group_is_refused(scene: Scene, applied: ResetRequest) -> None:
    factories.give_groups(scene.cast.billing, "billing-other")
    scene.kafka.set_committed("billing-other", {hello(0): factories.at(1)})
    snapshot = {"kind": "restore", "snapshot": factories.attempt_of(applied).pk}
    change = factories.make_change(group="billing-other", strategy=snapshot)
    request = factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka)
    problem = factories.trouble(request)
    assert (request.state, problem["code"]) == ("plan_failed", "reset.snapshot_missing")
    assert "is none of group billing-other" in sentence(problem["code"], problem["facts"])


def test_a_snapshot_without_a_scope_is_all_its_partitions(scene: Scene, applied: ResetRequest) -> None:
    change = factories.make_change(strategy={"kind": "restore", "snapshot": factories.attempt_of(applied).pk})
    del change["scope"]
    request = factories.plan(factories.ask(scene.cast.alice, change=change), scene.kafka)
    assert [(line.partition, line.action) for line in request.the_plan.lines.all()] == [
        (0, "delete"), (1, "set"), (2, "set"),
    ]  # fmt: skip
