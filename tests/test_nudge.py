"""How messages are sent: after COMMIT, by names that exist, and never so that a person waits for a dead broker."""

from __future__ import annotations

import inspect
import time

import pytest
from celery import Celery
from django.conf import settings
from django.db import transaction

from kafkaconsole import nudge
from kafkaconsole.celery import app
from kafkaconsole.nudge import Nudge
from tests.nudges import Sent

DEAD = "redis://127.0.0.1:1/0"

ARGUMENTS = {
    Nudge.PREVIEW: {"preview_id"},
    Nudge.PLAN: {"request_id"},
    Nudge.EXECUTE: {"request_id"},
    Nudge.SETTLE: {"attempt_id"},
    Nudge.TEST_CLUSTER: {"test_id"},
    Nudge.SWEEP: {"cluster_id"},
    Nudge.EXPORT_RECORDS: {"export_id"},
    Nudge.LOOK_AT_RECORDS: {"look_id"},
    Nudge.CHECK_AUDIT: {"check_id"},
    Nudge.MAIL: {"person_id"},
    Nudge.POST: {"channel_id"},
}


@pytest.fixture(scope="module", autouse=True)
def _tasks() -> None:
    """As a worker finds them. Celery sets Django up again for it, logging too: so it is done before a test listens."""
    app.loader.import_default_modules()


@pytest.mark.parametrize("message", list(Nudge))
def test_every_message_is_a_task_with_these_arguments(message: Nudge) -> None:
    task = app.tasks[message.value]
    parameters = inspect.signature(task.run).parameters.values()
    named = {one.name for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY}
    assert named == ARGUMENTS[message]


def test_every_routed_and_scheduled_task_exists() -> None:
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert set(app.conf.task_routes) | scheduled <= set(app.tasks)
    assert scheduled <= set(app.conf.task_routes)


@pytest.mark.django_db
def test_a_message_of_a_newer_release_is_still_done(caplog: pytest.LogCaptureFixture) -> None:
    result = app.tasks["resets.plan"].apply(kwargs={"request_id": 0, "mood": "new"})
    assert result.successful()
    assert [one.__dict__["unknown"] for one in caplog.records if "does not know" in one.message] == [["mood"]]


@pytest.mark.django_db(transaction=True)
def test_a_message_goes_out_after_commit_and_not_after_a_rollback(sent: Sent) -> None:
    with transaction.atomic():
        nudge.after_commit(Nudge.PLAN, request_id=1)
        assert sent.messages == []
    assert sent.messages == [("resets.plan", {"request_id": 1})]
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        nudge.after_commit(Nudge.PLAN, request_id=2)
        raise ZeroDivisionError
    assert len(sent.messages) == 1


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_a_dead_broker(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    # Celery lets this variable win over the address it is given, and a run with a real broker sets it.
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    monkeypatch.setattr(nudge, "app", Celery(broker=DEAD, set_as_current=False, broker_transport_options=options))
    began = time.monotonic()
    nudge.after_commit(Nudge.PLAN, request_id=1)
    assert time.monotonic() - began < 2
    assert "could not be sent" in caplog.text
