"""Who works at a row: one worker at a time, for as long as it lives; what it finds out too late is not stored."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from devtools.kafka.waiting import comes_true
from kafkaconsole.resets import actions, leases
from kafkaconsole.resets.models import Plan, Preview, ResetRequest
from kafkaconsole.resets.states import State
from tests import factories
from tests.scene import Scene

Work = Callable[[], None]


def _planning(scene: Scene) -> tuple[ResetRequest, Work]:
    request = factories.request_in(State.PLANNING, scene.cast, scene.kafka)
    connect, records = scene.kafka.connect, scene.kafka.connect_records
    return request, lambda: actions.make_plan(request_id=request.pk, connect=connect, connect_records=records)


def _previewing(scene: Scene) -> tuple[Preview, Work]:
    row = actions.preview(by=scene.cast.alice, change_json=factories.make_change())
    connect, records = scene.kafka.connect, scene.kafka.connect_records
    return row, lambda: actions.make_preview(preview_id=row.pk, connect=connect, connect_records=records)


def _checking(scene: Scene) -> tuple[ResetRequest, Work]:
    request = factories.request_in(State.APPROVED, scene.cast, scene.kafka)
    return request, lambda: actions.execute(request_id=request.pk, connect=scene.kafka.connect)


Make = Callable[[Scene], tuple[ResetRequest | Preview, Work]]

WORK: dict[str, tuple[Make, str]] = {
    "planning": (_planning, "planned"),
    "previewing": (_previewing, "planned"),
    "checking": (_checking, "applied"),
}


def _lease_ends(row: ResetRequest | Preview) -> None:
    row.nudge_at = timezone.now() - timedelta(seconds=1)
    row.save(update_fields=["nudge_at"])


@pytest.mark.parametrize("what", WORK)
def test_two_workers_at_the_same_row_work_once(scene: Scene, what: str) -> None:
    """The second message comes while the first is being worked at."""
    make, state = WORK[what]
    row, work = make(scene)
    before = scene.kafka.calls.count("describe_cluster")
    scene.kafka.before("describe_cluster", work)
    work()
    row.refresh_from_db()
    assert (row.state, row.holder, row.nudge_at) == (state, None, None)
    alone = 1 if what != "checking" else 2  # before the claim and before the write
    assert scene.kafka.calls.count("describe_cluster") - before == alone


@pytest.mark.parametrize("what", ["planning", "previewing"])
def test_a_worker_that_lost_its_lease_does_not_store_its_plan(scene: Scene, what: str) -> None:
    """It was paused; a tick has sent the message again, and another worker has planned meanwhile."""
    row, work = WORK[what][0](scene)

    def paused_for_long() -> None:
        _lease_ends(row)
        actions.tick()
        work()

    scene.kafka.before("describe_groups", paused_for_long)
    work()
    row.refresh_from_db()
    assert row.state == "planned"
    assert list(Plan.objects.values_list("pk", flat=True)) == [row.plan_id]


@pytest.mark.parametrize("what", ["planning", "previewing"])
def test_a_plan_is_not_stored_once_a_tick_took_the_lease_away(scene: Scene, what: str) -> None:
    row, work = WORK[what][0](scene)

    def paused_for_long() -> None:
        _lease_ends(row)
        actions.tick()

    scene.kafka.before("describe_groups", paused_for_long)
    work()
    row.refresh_from_db()
    assert (row.state, row.plan_id, row.holder, Plan.objects.count()) == ("planning", None, None, 0)
    work()
    row.refresh_from_db()
    assert row.state == "planned"


@pytest.mark.parametrize("found", ["all as planned", "a commit moved", "the cluster is away"])
def test_a_worker_that_lost_its_lease_before_the_claim_changes_nothing(scene: Scene, found: str) -> None:
    request, work = _checking(scene)

    def paused_for_long() -> None:
        _lease_ends(request)
        actions.tick()
        if found == "a commit moved":
            scene.kafka.set_committed(factories.GROUP, {factories.hello(0): factories.at(1)})
        elif found == "the cluster is away":
            scene.kafka.go_down()

    scene.kafka.before("topics", paused_for_long)
    work()
    request.refresh_from_db()
    assert (request.state, request.tries, request.problem, request.attempts.count()) == ("approved", 0, None, 0)
    assert scene.kafka.commits == []


def test_a_request_planned_again_is_free_at_once(scene: Scene) -> None:
    """Whoever checked the old plan holds nothing any more."""
    request, work = _checking(scene)
    scene.kafka.before("topics", lambda: actions.replan(request=request, by=scene.cast.alice))
    work()
    request.refresh_from_db()
    assert (request.state, request.holder) == ("planning", None)
    assert factories.plan(request, scene.kafka).state == "planned"


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_lengthened_while_the_work_goes_on_and_not_after(scene: Scene, settings: Settings) -> None:
    settings.WORK_LEASE = timedelta(seconds=2)
    request, _ = _planning(scene)
    rows = ResetRequest.objects.filter(pk=request.pk, state=State.PLANNING)
    holder = leases.take(rows)
    mine = rows.filter(holder=holder)
    until = _until(request)
    with leases.renewed(mine):
        for _ in range(3):
            assert comes_true(lambda: _until(request) > until, limit=10, every=0.01)  # noqa: B023  used at once
            until = _until(request)
            assert leases.take(rows) is None
    assert comes_true(lambda: leases.take(rows) is not None, limit=10, every=0.01)


@pytest.mark.django_db(transaction=True)
def test_a_lease_that_was_lost_is_not_lengthened(scene: Scene, settings: Settings) -> None:
    settings.WORK_LEASE = timedelta(seconds=2)
    request, _ = _planning(scene)
    rows = ResetRequest.objects.filter(pk=request.pk, state=State.PLANNING)
    mine = rows.filter(holder=leases.take(rows))
    with leases.renewed(mine):
        rows.update(holder=None, nudge_at=timezone.now())
        other = leases.take(rows)
        assert comes_true(lambda: _until(request) < timezone.now(), limit=10, every=0.01)
    request.refresh_from_db()
    assert request.holder == other


def _until(request: ResetRequest) -> datetime:
    until = ResetRequest.objects.values_list("nudge_at", flat=True).get(pk=request.pk)
    assert until is not None
    return until
