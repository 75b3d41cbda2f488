"""Messages caught at the door: a test sees what would be sent, with arguments put through Celery's serializer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from kafkaconsole.celery import app


@dataclass
class Sent:
    """What was sent, in order: the task's name and its arguments as a worker would read them."""

    messages: list[tuple[str, dict[str, object]]] = field(default_factory=list)

    def names(self) -> list[str]:
        """The tasks' names alone."""
        return [name for name, _ in self.messages]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Catches messages instead of sending them to a broker."""
    caught = Sent()

    def catch(name: str, *, kwargs: dict[str, Any], **_: object) -> None:
        caught.messages.append((name, json.loads(json.dumps(kwargs))))

    monkeypatch.setattr(app, "send_task", catch)
    return caught
