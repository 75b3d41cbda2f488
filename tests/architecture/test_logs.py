"""What the logs leave out: ways through the code for strangers' calls, and one event said twice."""

from __future__ import annotations

import logging

from django.conf import settings
from django.core.exceptions import DisallowedHost

from kafkaconsole.logs import StrangersAreNoFaults


def record_of(error: Exception) -> logging.LogRecord:
    """As Django logs an error that it caught."""
    return logging.LogRecord("django.request", logging.WARNING, __file__, 1, "Bad", (), (type(error), error, None))


def test_a_call_with_another_host_is_one_line() -> None:
    record = record_of(DisallowedHost("evil.example"))
    assert StrangersAreNoFaults().filter(record) and record.exc_info is None


def test_the_way_to_a_fault_of_ours_is_kept() -> None:
    record = record_of(ValueError("broken"))
    assert StrangersAreNoFaults().filter(record) and record.exc_info


def test_the_filter_sits_on_what_is_printed_and_tasks_are_told_once() -> None:
    assert settings.LOGGING["handlers"]["out"]["filters"] == ["strangers"]
    for name in ("celery.worker.strategy", "celery.app.trace"):
        assert not logging.getLogger(name).isEnabledFor(logging.INFO)
        assert logging.getLogger(name).isEnabledFor(logging.ERROR)
