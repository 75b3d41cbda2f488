"""What the logs leave out: ways through the code for strangers' calls, one event said twice, and what only the clock asked for."""

from __future__ import annotations

import logging

import pytest
from celery.signals import after_task_publish, before_task_publish
from django.conf import settings
from django.core.exceptions import DisallowedHost

from kafkaconsole.celery import TaskLog
from kafkaconsole.logs import ClientChatter, IdleTasks, StrangersAreNoFaults


def record_of(error: Exception) -> logging.LogRecord:
    """As Django logs an error that it caught."""
    return logging.LogRecord("django.request", logging.WARNING, __file__, 1, "Bad", (), (type(error), error, None))


def test_a_call_with_another_host_is_one_line() -> None:
    record = record_of(DisallowedHost("evil.example"))
    assert StrangersAreNoFaults().filter(record) and record.exc_info is None


def test_the_way_to_a_fault_of_ours_is_kept() -> None:
    record = record_of(ValueError("broken"))
    assert StrangersAreNoFaults().filter(record) and record.exc_info


def of_a_task(event: str, level: int = logging.INFO, **facts: str) -> logging.LogRecord:
    """As django-structlog logs what becomes of a task."""
    said = {"event": event, **facts}
    return logging.LogRecord(IdleTasks.SOURCE, level, __file__, 1, said, (), None)


@pytest.mark.parametrize(
    "record",
    [
        of_a_task("task_enqueued", child_task_name="resets.tick"),
        of_a_task("task_started", task="audit.tick"),
        of_a_task("task_succeeded", task="history.tick"),
        of_a_task("task_enqueued", child_task_name="history.sweep", task="history.tick"),
        of_a_task("task_started", task="history.sweep"),
    ],
)
def test_what_only_the_clock_asked_for_is_not_told(record: logging.LogRecord) -> None:
    assert not IdleTasks().filter(record)


@pytest.mark.parametrize(
    "record",
    [
        of_a_task("task_enqueued", child_task_name="resets.settle", task="resets.tick"),
        of_a_task("task_started", task="resets.plan"),
        of_a_task("task_succeeded", task="resets.plan"),
        of_a_task("task_succeeded", task="history.sweep"),
        of_a_task("task_failed", logging.ERROR, task="resets.tick"),
        of_a_task("task_retrying", logging.WARNING, task="history.sweep"),
        logging.LogRecord("kafkaconsole.resets", logging.INFO, __file__, 1, "resets.tick", (), None),
    ],
)
def test_work_and_what_goes_wrong_is_told(record: logging.LogRecord) -> None:
    assert IdleTasks().filter(record)


def test_the_client_s_words_on_a_broker_that_is_away_are_not_told_but_faults_in_it_are() -> None:
    away = logging.LogRecord("kafka.net.manager", logging.ERROR, __file__, 1, "Connection failed", (), None)
    assert not ClientChatter().filter(away)
    fault = ValueError("broken")
    away.exc_info = (ValueError, fault, None)
    assert ClientChatter().filter(away)
    other = logging.LogRecord("kafka.admin.client", logging.WARNING, __file__, 1, "Odd", (), None)
    assert ClientChatter().filter(other)


def test_a_worker_listens_once_to_the_messages_that_its_tasks_send() -> None:
    before = len(after_task_publish.receivers or []), len(before_task_publish.receivers or [])
    step = TaskLog(None)
    assert step.receiver, "it lives as long as the worker"
    assert (len(after_task_publish.receivers or []), len(before_task_publish.receivers or [])) == before


def test_the_filters_sit_on_what_is_printed_and_tasks_are_told_once() -> None:
    assert settings.LOGGING["handlers"]["out"]["filters"] == ["strangers", "chatter", "idle"]
    for name in ("celery.worker.strategy", "celery.app.trace"):
        assert not logging.getLogger(name).isEnabledFor(logging.INFO)
        assert logging.getLogger(name).isEnabledFor(logging.ERROR)
