"""Two plans of one request side by side: which partitions are shown as different, and how."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from kafkaconsole.resets.models import Plan, PlanLine, ResetRequest
from kafkaconsole.resets.pages import differences as pages
from kafkaconsole.resets.pages.differences import LineDifference, differences
from kafkaconsole.resets.plans import Action
from tests import factories
from tests.scene import Scene

Row = tuple[str, int, int | None, int | None]
"""Topic, partition, commit, target."""


@pytest.fixture
def request_of_alice(scene: Scene) -> ResetRequest:
    return factories.ask(scene.cast.alice)


def plan_of(request: ResetRequest, rows: Sequence[Row]) -> Plan:
    """A stored plan with just these lines."""
    plan = Plan.objects.create(
        request=request,
        digest="0" * 64,
        planned_at=timezone.now(),
        kafka_cluster_id="x",
        group_name=request.group_name,
        group_type="classic",
        group_state="Empty",
        change=request.change,
        partitions_count=len(rows),
        changed_count=len(rows),
        replayed=0,
        skipped=0,
    )
    for topic, partition, committed, target in rows:
        action = Action.LEAVE if target is None else Action.SET
        line = PlanLine(plan=plan, topic=topic, topic_id="t", partition=partition, action=action)
        line.committed, line.target, line.log_start, line.log_end = committed, target, 0, 100
        line.save()
    return plan


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ([("a", 0, 5, 0)], [("a", 0, 5, 0)], []),
        ([("a", 0, 5, 0)], [("a", 0, 6, 0)], [LineDifference("a", 0, 5, 6, 0, 0)]),
        ([("a", 0, 5, 0)], [("a", 0, 5, 1)], [LineDifference("a", 0, 5, 5, 0, 1)]),
        ([("a", 0, None, 0)], [("a", 0, None, 0)], []),
        ([("a", 0, None, 0)], [("a", 0, 0, 0)], [LineDifference("a", 0, None, 0, 0, 0)]),
        ([("a", 0, 5, None)], [("a", 0, 5, None)], []),
        ([("a", 0, None, None)], [], [LineDifference("a", 0, None, None, None, None)]),
        ([], [("a", 0, 5, 7)], [LineDifference("a", 0, None, 5, None, 7)]),
    ],
)
def test_a_partition_differs_by_its_commit_its_target_or_by_being_there(
    request_of_alice: ResetRequest, before: list[Row], now: list[Row], expected: list[LineDifference]
) -> None:
    assert differences(plan_of(request_of_alice, before), plan_of(request_of_alice, now)) == expected


def test_the_first_that_differ_are_told_by_topic_and_by_number(
    request_of_alice: ResetRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "SHOWN", 3)
    numbers = (10, 2, 1)
    before = plan_of(request_of_alice, [(topic, number, 5, 0) for topic in ("b", "a") for number in numbers])
    now = plan_of(request_of_alice, [(topic, number, 6, 0) for topic in ("b", "a") for number in (*numbers, 0)])
    assert [(one.topic, one.partition) for one in differences(before, now)] == [("a", 0), ("a", 1), ("a", 2)]


def test_plans_of_any_length_are_compared_by_one_query(request_of_alice: ResetRequest) -> None:
    rows: list[Row] = [("a", number, 5, 0) for number in range(200)]
    plans = plan_of(request_of_alice, rows), plan_of(request_of_alice, rows[:-1])
    with CaptureQueriesContext(connection) as seen:
        assert len(differences(*plans)) == 1
    assert len(seen) == 1
