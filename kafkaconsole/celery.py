"""The Celery app. Tasks live in each app's `tasks.py` and are found by the worker alone."""

from __future__ import annotations

import inspect
import logging
import os
from typing import Any

import structlog
from celery import Celery, Task
from celery.signals import after_task_publish, before_task_publish
from django_structlog.celery.signals import bind_extra_task_metadata
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kafkaconsole.settings")

logger = logging.getLogger(__name__)


class TolerantTask(Task):  # type: ignore[type-arg]  # not subscriptable when it runs
    """During a deploy a message may come from a newer release: what this one does not know is logged and left out."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run with the arguments that the task takes."""
        known = inspect.signature(self.run).parameters
        unknown = sorted(kwargs.keys() - known.keys())
        if unknown:
            logger.warning("A task got arguments that it does not know", extra={"task": self.name, "unknown": unknown})
        return self.run(*args, **{name: value for name, value in kwargs.items() if name in known})


class TaskLog(DjangoStructLogInitStep):
    """django-structlog's ears in a worker, without the second pair for messages: its app in INSTALLED_APPS listens to those
    already, and each message that a task sends would be logged twice."""

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        before_task_publish.disconnect(self.receiver.receiver_before_task_publish)
        after_task_publish.disconnect(self.receiver.receiver_after_task_publish)


def bind_name(task: Task, **_facts: Any) -> None:  # type: ignore[type-arg]  # not subscriptable when it runs
    """Every line that a task logs names it."""
    structlog.contextvars.bind_contextvars(task=task.name)


bind_extra_task_metadata.connect(bind_name)

app = Celery("kafkaconsole", task_cls=TolerantTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(TaskLog)
