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
        "filters": {"strangers": {"()": StrangersAreNoFaults}},
        "handlers": {"out": {"class": "logging.StreamHandler", "formatter": "ours", "filters": ["strangers"]}},
        "root": {"handlers": ["out"], "level": "INFO"},
        "loggers": {
            "kafka": {"level": "WARNING"},
            "kafka.net.selector": {"level": "ERROR"},
            # django-structlog says when a task starts and ends, with its ids; celery would say both once more.
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
        },
    }
