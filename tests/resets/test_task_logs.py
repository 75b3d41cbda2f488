"""What the log lines of a task carry."""

from __future__ import annotations

import pytest
import structlog

from kafkaconsole.resets import tasks

pytestmark = pytest.mark.django_db


def test_a_task_names_its_reset_and_keeps_the_id_of_the_call_that_it_follows_from() -> None:
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id="0c9f-of-a-page")
    tasks.execute(request_id=404)
    bound = structlog.contextvars.get_contextvars()
    structlog.contextvars.clear_contextvars()
    assert (bound["request_id"], bound["reset_id"]) == ("0c9f-of-a-page", 404)
