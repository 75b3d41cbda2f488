"""Previews: a plan without a request."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.http import Http404
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from kafkaconsole.errors import NotAllowed
from kafkaconsole.resets import actions, queries
from kafkaconsole.resets.errors import BadChange
from kafkaconsole.resets.models import Plan, PlanLine, Preview
from kafkaconsole.resets.states import State
from tests import factories
from tests.nudges import Sent
from tests.scene import Scene


def _preview(scene: Scene, **fields: object) -> Preview:
    row = actions.preview(by=scene.cast.alice, change_json=factories.make_change(**fields))
    actions.make_preview(
        preview_id=str(row.pk), connect=scene.kafka.connect, connect_records=scene.kafka.connect_records
    )
    row.refresh_from_db()
    return row


def test_a_preview_is_worked_out_by_a_worker(
    scene: Scene, sent: Sent, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        row = _preview(scene)
    assert sent.messages == [("resets.preview", {"preview_id": str(row.pk)})]
    assert (row.state, row.problem) == ("planned", None)
    assert row.plan is not None and row.plan.replayed == 9
    assert scene.kafka.commits == []


def test_a_preview_shows_the_lines_that_refuse(scene: Scene) -> None:
    scene.kafka.lose_leader("hello", 2)
    row = _preview(scene)
    assert row.problem is not None and row.plan is not None
    assert (row.state, row.problem["code"], row.plan.refused) == ("plan_failed", "reset.plan_refused", True)


def test_a_preview_says_at_once_that_the_cluster_is_away(scene: Scene) -> None:
    scene.kafka.go_down()
    row = _preview(scene)
    assert row.problem is not None
    assert (row.state, row.problem["code"], row.plan) == ("plan_failed", "kafka.unavailable", None)


def test_a_preview_worked_out_twice_has_one_plan(scene: Scene) -> None:
    row = _preview(scene)
    actions.make_preview(preview_id=row.pk, connect=scene.kafka.connect, connect_records=scene.kafka.connect_records)
    assert Plan.objects.count() == 1


def test_an_outsider_has_no_preview_of_the_teams_groups(scene: Scene) -> None:
    with pytest.raises(NotAllowed):
        actions.preview(by=scene.cast.dave, change_json=factories.make_change())


def test_a_bad_change_is_refused_at_the_door(scene: Scene) -> None:
    with pytest.raises(BadChange):
        actions.preview(by=scene.cast.alice, change_json={"cluster": "demo"})
    assert not Preview.objects.exists()


def test_a_preview_is_its_persons_alone(scene: Scene) -> None:
    row = _preview(scene)
    assert queries.preview_for(scene.cast.alice, str(row.pk)) == row
    for person, key in ((scene.cast.amir, row.pk), (scene.cast.alice, uuid.uuid4()), (scene.cast.alice, "nonsense")):
        with pytest.raises(Http404):
            queries.preview_for(person, key)


def test_old_previews_are_cleared_away_with_their_plans_and_requests_keep_theirs(scene: Scene) -> None:
    request = factories.request_in(State.PLANNED, scene.cast, scene.kafka)
    old, new = _preview(scene), _preview(scene)
    Preview.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2))
    actions.tick()
    assert list(Preview.objects.all()) == [new]
    assert set(Plan.objects.values_list("pk", flat=True)) == {request.plan_id, new.plan_id}
    assert PlanLine.objects.count() == 6
