"""How a page, a command or a task enqueues: by the task's name, after COMMIT, with ids only.

By name, because the modules that hold tasks import Kafka clients and a web process never does
(docs/decisions/0003). A test checks every name and its arguments against the registered tasks.
"""

from __future__ import annotations

import logging
from enum import StrEnum

from django.db import transaction

from kafkaconsole.celery import app

logger = logging.getLogger(__name__)


class Nudge(StrEnum):
    """Every message that a page or an action's door may send; the value is the task's name."""

    PREVIEW = "resets.preview"  # preview_id
    PLAN = "resets.plan"  # request_id
    EXECUTE = "resets.execute"  # request_id
    SETTLE = "resets.settle"  # attempt_id
    TEST_CLUSTER = "clusters.test"  # test_id
    SWEEP = "history.sweep"  # cluster_id
    EXPORT_RECORDS = "records.export"  # export_id
    LOOK_AT_RECORDS = "records.look"  # look_id
    CHECK_AUDIT = "audit.check"  # check_id
    MAIL = "notifications.mail"  # person_id
    POST = "notifications.post"  # channel_id


def after_commit(nudge: Nudge, **ids: int | str) -> None:
    """Send the message once the row that it names is really there.

    A lost or refused message is only logged: the row is the work, and beat's ticks pick it up.
    """
    transaction.on_commit(lambda: _send(nudge, ids), robust=True)


def _send(nudge: Nudge, ids: dict[str, int | str]) -> None:
    try:
        app.send_task(nudge.value, kwargs=ids, retry=False)
    except Exception:  # whatever the broker's client raises, the row is safe
        logger.warning("A message could not be sent; a tick will pick the row up", extra={"task": nudge.value, **ids})
