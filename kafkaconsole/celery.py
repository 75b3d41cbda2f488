"""The Celery app. Tasks live in each app's `tasks.py` and are found by the worker alone."""

from __future__ import annotations

import inspect
import logging
import os
from typing import Any

from celery import Celery, Task
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


app = Celery("kafkaconsole", task_cls=TolerantTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)
