"""Structured logs: JSON in production, plain lines for people; ids of request, person and attempt come along."""

from __future__ import annotations

import logging
from typing import Any

import structlog
from django.core.exceptions import DisallowedHost, ImproperlyConfigured

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


class StrangersAreNoFaults(logging.Filter):
    """A call with another Host header is somebody's scanner: one line is enough, without the way through the code."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true; the traceback is taken out."""
        if record.exc_info and isinstance(record.exc_info[1], DisallowedHost):
            record.exc_info = record.exc_text = None
        return True


class ClientChatter(logging.Filter):
    """kafka-python writes some five lines for each try to reach a broker that is away, many tries for each attempt of
    ours. They are heard by `kafkaconsole.kafka.reasons`, and one line of `kafkaconsole.kafka.opening` says the reason."""

    def filter(self, record: logging.LogRecord) -> bool:
        """False for what the client's network part says without a traceback; other parts are heard from WARNING on."""
        return not record.name.startswith("kafka.net.") or bool(record.exc_info)


class IdleTasks(logging.Filter):
    """Some tasks come by the clock, every few seconds, and mostly find nothing to do: that is not worth a line each.

    What goes wrong in them is told, and so is the end of a task that did real work.
    """

    SOURCE = "django_structlog.celery.receivers"
    QUIET_AT_THE_START = (".tick", "history.sweep")
    QUIET_AT_THE_END = (".tick",)

    def filter(self, record: logging.LogRecord) -> bool:
        """False for the start of a task of the clock, and for the end of a tick."""
        if record.name != self.SOURCE or record.levelno > logging.INFO or not isinstance(record.msg, dict):
            return True
        quiet = self.QUIET_AT_THE_END if record.msg["event"] == "task_succeeded" else self.QUIET_AT_THE_START
        return not str(record.msg.get("child_task_name") or record.msg.get("task", "")).endswith(quiet)


def configuration(form: str) -> dict[str, Any]:
    """A `logging.dictConfig` value for LOG_FORMAT=json|plain. Logger `kafka` never goes below INFO:
    at DEBUG the client writes its whole configuration, password included (kafka-facts 5.5)."""
    if form not in {"json", "plain"}:
        raise ImproperlyConfigured(f"LOG_FORMAT must be json or plain, got {form!r}")
    renderer = structlog.processors.JSONRenderer() if form == "json" else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "ours": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
                "foreign_pre_chain": _SHARED,
            }
        },
        "filters": {
            "strangers": {"()": StrangersAreNoFaults},
            "chatter": {"()": ClientChatter},
            "idle": {"()": IdleTasks},
        },
        "handlers": {
            "out": {"class": "logging.StreamHandler", "formatter": "ours", "filters": ["strangers", "chatter", "idle"]}
        },
        "root": {"handlers": ["out"], "level": "INFO"},
        "loggers": {
            "kafka": {"level": "WARNING"},
            "kafka.net.selector": {"level": "ERROR"},
            # django-structlog says when a task starts and ends, with its ids; celery would say both once more.
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
        },
    }
