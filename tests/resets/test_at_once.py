"""Two people at the same moment, many times over: never two executions, never an approval of a plan not seen.

Threads with transactions of their own, on whatever database the tests run on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.errors import ConsoleError
from kafkaconsole.resets import actions, policies
from kafkaconsole.resets.models import Approval, Attempt, ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.approvals import making
from tests.scene import Scene

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=[20, pytest.param(200, marks=pytest.mark.long)])
def rounds(request: pytest.FixtureRequest) -> int:
    """How often; SQLite lets one writer in at a time, so that a few rounds tell as much as many there."""
    return int(request.param) if connection.vendor == "postgresql" else int(request.param) // 10


@pytest.fixture
def planned(scene: Scene) -> Callable[[], ResetRequest]:
    """A new request whose plan can be signed: what came before is closed, so that only one is open at a time."""

    def make() -> ResetRequest:
        scene.kafka.set_committed(factories.GROUP, {factories.hello(n): factories.at(3) for n in range(3)})
        return factories.request_in(State.PLANNED, scene.cast, scene.kafka)

    return make


def at_once(*calls: Callable[[], object]) -> list[ConsoleError | None]:
    """Run the calls in threads that start together; what each was refused with, None: it went through."""
    gate = threading.Barrier(len(calls))
    refused: list[ConsoleError | None] = [None] * len(calls)

    def run(number: int, call: Callable[[], object]) -> None:
        gate.wait(timeout=20)
        try:
            call()
        except ConsoleError as error:
            refused[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number, call)) for number, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    return refused


def planned_again(request: ResetRequest, scene: Scene) -> None:
    factories.plan(actions.replan(request=request, by=scene.cast.amir), scene.kafka)


def now(request: ResetRequest) -> ResetRequest:
    return ResetRequest.objects.select_related("plan").get(pk=request.pk)


def is_sound(request: ResetRequest) -> None:
    """Whatever stands approved is signed by enough people who saw that very plan."""
    row = now(request)
    for approval in row.approvals.select_related("plan"):
        assert approval.digest == approval.plan.digest
    if row.approved_digest:
        assert row.approved_digest == row.plan_digest
        signoff = policies.signoff_of(row)
        assert signoff.given >= signoff.needed


def executed_once(request: ResetRequest, scene: Scene) -> None:
    """Two workers that take it up at once make one attempt of it."""
    at_once(*[partial(actions.execute, request_id=request.pk, connect=scene.kafka.connect)] * 2)
    assert Attempt.objects.filter(request=request).count() == (1 if now(request).state == "applied" else 0)


def test_two_approvers_where_one_is_enough(scene: Scene, planned: Callable[[], ResetRequest], rounds: int) -> None:
    for _ in range(rounds):
        request = planned()
        refused = at_once(
            partial(factories.approve, request, scene.cast.bob), partial(factories.approve, request, scene.cast.bora)
        )
        assert sorted(one.code for one in refused if one) == ["reset.wrong_state"]
        assert (now(request).state, Approval.objects.filter(request=request).count()) == ("approved", 1)
        is_sound(request)
        executed_once(request, scene)
        assert now(request).state == "applied"


def test_two_approvers_where_two_are_needed(scene: Scene, planned: Callable[[], ResetRequest], rounds: int) -> None:
    making.change_builtin(making.own(2))
    for _ in range(rounds):
        request = planned()
        refused = at_once(
            partial(factories.approve, request, scene.cast.bob), partial(factories.approve, request, scene.cast.bora)
        )
        assert refused == [None, None]
        assert now(request).state == "approved"
        assert AuditEvent.objects.filter(verb="reset.approved", target_id=str(request.pk)).count() == 2
        is_sound(request)
        actions.cancel(request=request, by=scene.cast.alice)


def test_a_double_click(scene: Scene, planned: Callable[[], ResetRequest], rounds: int) -> None:
    for _ in range(rounds):
        request = planned()
        assert at_once(*[partial(factories.approve, request, scene.cast.bob)] * 3) == [None] * 3
        assert Approval.objects.filter(request=request).count() == 1
        actions.cancel(request=request, by=scene.cast.alice)


def test_an_approver_against_a_canceller(scene: Scene, planned: Callable[[], ResetRequest], rounds: int) -> None:
    for _ in range(rounds):
        request = planned()
        refused = at_once(
            partial(factories.approve, request, scene.cast.bob),
            partial(actions.cancel, request=request, by=scene.cast.alice),
        )
        assert refused[1] is None and now(request).state == "cancelled"
        assert refused[0] is None or refused[0].code == "reset.wrong_state"
        executed_once(request, scene)
        assert not Attempt.objects.filter(request=request).exists()


def test_planning_again_against_an_approver(scene: Scene, planned: Callable[[], ResetRequest], rounds: int) -> None:
    for _ in range(rounds):
        request = planned()
        seen = request.plan_digest
        scene.kafka.set_committed(factories.GROUP, {factories.hello(0): factories.at(1)})
        refused = at_once(
            partial(actions.approve, request=request, by=scene.cast.bob, seen_digest=seen),
            partial(planned_again, request, scene),
        )
        assert refused[1] is None
        row = now(request)
        assert (row.state, row.approved_digest) == ("planned", "") and row.plan_digest != seen
        assert set(row.approvals.values_list("digest", flat=True)) <= {seen}
        assert policies.signoff_of(row).given == 0
        actions.cancel(request=row, by=scene.cast.alice)


def changed(request: ResetRequest, scene: Scene) -> None:
    body = factories.make_change(strategy={"kind": "to_latest"})
    revised = actions.revise(request=request, by=scene.cast.amir, change_json=body, reason="Skip instead", seen=1)
    factories.plan(revised, scene.kafka)


def test_a_change_against_an_approver(scene: Scene, planned: Callable[[], ResetRequest], rounds: int) -> None:
    for _ in range(rounds):
        request = planned()
        seen = request.plan_digest
        refused = at_once(
            partial(actions.approve, request=request, by=scene.cast.bob, seen_digest=seen),
            partial(changed, request, scene),
        )
        assert refused[1] is None
        row = now(request)
        assert (row.state, row.approved_digest) == ("planned", "") and row.plan_digest != seen
        assert set(row.approvals.values_list("digest", flat=True)) <= {seen}
        assert policies.signoff_of(row).given == 0
        is_sound(row)
        executed_once(row, scene)
        assert not Attempt.objects.filter(request=row).exists()
        actions.cancel(request=row, by=scene.cast.alice)


def test_a_change_against_a_worker(scene: Scene, planned: Callable[[], ResetRequest], rounds: int) -> None:
    for _ in range(rounds):
        request = factories.approve(planned(), scene.cast.bob)
        written = len(scene.kafka.commits)
        refused = at_once(
            partial(changed, request, scene),
            partial(actions.execute, request_id=request.pk, connect=scene.kafka.connect),
        )
        row = now(request)
        assert (row.state == "planned") == (refused[0] is None)
        assert (len(scene.kafka.commits) > written) == (row.state == "applied")
        is_sound(row)
        if row.state == "planned":
            actions.cancel(request=row, by=scene.cast.alice)


def test_two_people_who_change_it(scene: Scene, planned: Callable[[], ResetRequest], rounds: int) -> None:
    for _ in range(rounds):
        request = planned()
        refused = at_once(*[partial(changed, request, scene)] * 2)
        assert [one is None for one in refused].count(True) == 1
        assert now(request).revisions.count() == 1
        actions.cancel(request=request, by=scene.cast.alice)


def test_taking_back_against_a_worker(scene: Scene, planned: Callable[[], ResetRequest], rounds: int) -> None:
    outcomes = set()
    for _ in range(rounds):
        request = factories.approve(planned(), scene.cast.bob)
        written = len(scene.kafka.commits)
        refused = at_once(
            partial(actions.withdraw, request=request, by=scene.cast.bob, seen_digest=request.plan_digest),
            partial(actions.execute, request_id=request.pk, connect=scene.kafka.connect),
        )
        row = now(request)
        outcomes.add(str(row.state))
        assert (row.state == "planned") == (refused[0] is None)
        assert (len(scene.kafka.commits) > written) == (row.state == "applied")
        if row.state == "planned":
            actions.cancel(request=row, by=scene.cast.alice)
    assert outcomes <= {"planned", "applied"}
