"""Asking for records: who may, for what, and what is frozen."""

from __future__ import annotations

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.fixtures import Settings

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.celery import app
from kafkaconsole.errors import NotAllowed
from kafkaconsole.records import actions, errors
from kafkaconsole.records.actions import Wanted
from kafkaconsole.records.models import ExportState, RecordExport
from kafkaconsole.records.spans import Until
from kafkaconsole.resets.models import ResetRequest
from tests.records.scene import Scene, line, make_request

AGAIN = Wanted(Until.COMMITTED, limit=100)


def test_asking_freezes_the_spans_and_tells_a_worker(
    scene: Scene,
    reset: ResetRequest,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    sent: list[tuple[str, dict[str, int]]] = []
    monkeypatch.setattr(app, "send_task", lambda name, kwargs, retry: sent.append((name, kwargs)))
    with django_capture_on_commit_callbacks(execute=True):
        export = actions.ask(request=reset, by=scene.alice, wanted=AGAIN)
    assert export.spans == [["hello", 0, 0, 2], ["hello", 1, 0, 2]]
    assert (export.state, export.offsets_total, export.plan_digest) == (ExportState.WAITING, 4, reset.plan_digest)
    assert sent == [("records.export", {"export_id": export.pk})]


def test_asking_is_recorded_without_contents(scene: Scene, reset: ResetRequest) -> None:
    export = actions.ask(request=reset, by=scene.alice, wanted=AGAIN)
    event = AuditEvent.objects.get(verb="records.asked")
    assert event.actor == scene.alice
    assert event.facts == {"export": export.pk, "until": "committed", "limit": 100, "offsets": 4}


def test_outsiders_and_auditors_may_not_read_messages(scene: Scene, reset: ResetRequest) -> None:
    for person in (scene.dave, scene.eve):
        with pytest.raises(NotAllowed):
            actions.ask(request=reset, by=person, wanted=AGAIN)
    assert not RecordExport.objects.exists()


def test_nobody_may_where_the_environment_forbids_it(scene: Scene, reset: ResetRequest) -> None:
    environment = scene.cluster.environment
    environment.is_production, environment.may_read_messages = True, False
    environment.save()
    with pytest.raises(NotAllowed):
        actions.ask(request=ResetRequest.objects.get(pk=reset.pk), by=scene.alice, wanted=AGAIN)


def test_one_partition_can_be_chosen(scene: Scene, reset: ResetRequest) -> None:
    wanted = Wanted(Until.LOG_END, limit=100, topic="hello", partition=0)
    assert actions.ask(request=reset, by=scene.alice, wanted=wanted).spans == [["hello", 0, 0, 3]]


@pytest.mark.parametrize(
    ("topic", "partition", "field"), [("other", None, "topic"), ("hello", 7, "partition"), (None, 9, "partition")]
)
def test_a_place_outside_the_plan_is_named(
    scene: Scene, reset: ResetRequest, topic: str | None, partition: int | None, field: str
) -> None:
    with pytest.raises(errors.NotInPlan) as caught:
        actions.ask(request=reset, by=scene.alice, wanted=Wanted(Until.COMMITTED, 10, topic, partition))
    assert caught.value.facts["field"] == field


@pytest.mark.parametrize("limit", [0, -1, 1_000_001, 2**70])
def test_a_limit_out_of_bounds_is_refused_not_bent(scene: Scene, reset: ResetRequest, limit: int) -> None:
    with pytest.raises(errors.BadLimit):
        actions.ask(request=reset, by=scene.alice, wanted=Wanted(Until.COMMITTED, limit))


def test_a_request_without_a_plan_has_no_records(scene: Scene) -> None:
    with pytest.raises(errors.NoPlanYet):
        actions.ask(request=make_request(scene, None), by=scene.alice, wanted=AGAIN)


def test_a_plan_that_only_skips_has_nothing_to_read_again(scene: Scene) -> None:
    skipping = make_request(scene, [line("hello", 0, target=3, committed=1, log_end=3)])
    with pytest.raises(errors.NothingToRead):
        actions.ask(request=skipping, by=scene.alice, wanted=AGAIN)


def test_one_person_cannot_run_more_than_three_at_a_time(scene: Scene, reset: ResetRequest) -> None:
    for _ in range(actions.MOST_RUNNING):
        actions.ask(request=reset, by=scene.alice, wanted=AGAIN)
    with pytest.raises(errors.TooManyExports):
        actions.ask(request=reset, by=scene.alice, wanted=AGAIN)
    assert actions.ask(request=reset, by=scene.amir, wanted=AGAIN)


def test_a_smaller_setting_bounds_the_limit(scene: Scene, reset: ResetRequest, settings: Settings) -> None:
    settings.EXPORT_MAX_RECORDS = 5
    with pytest.raises(errors.BadLimit) as caught:
        actions.ask(request=reset, by=scene.alice, wanted=Wanted(Until.COMMITTED, 6))
    assert "5" in str(caught.value.facts["expected"])
