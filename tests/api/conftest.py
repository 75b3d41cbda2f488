"""What the tests of the HTTP API share: the cast, and clients that call for them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from kafkaconsole.accounts import tokens
from kafkaconsole.accounts.models import Scope, User
from kafkaconsole.resets.models import ResetRequest
from tests.api.calling import Api
from tests.records.scene import Scene, line, make_request, make_scene


@pytest.fixture
def scene(db: None) -> Scene:
    """The cast and their cluster."""
    return make_scene()


@pytest.fixture
def api() -> Callable[..., Api]:
    """`api(person, "read")`: a client with a new token of theirs with these scopes (all, when none is named)."""

    def make(person: User, *scopes: str) -> Api:
        _, text = tokens.create(
            person, "test", list(scopes or Scope.values), timezone.now() + timedelta(hours=1), by=person
        )
        return Api(text)

    return make


@pytest.fixture
def planned(scene: Scene) -> ResetRequest:
    """A planned request of Alice's: hello-0 back from 2 to 0 (log end 3), hello-1 left alone."""
    lines = [
        line("hello", 0, target=0, committed=2, log_end=3),
        line("hello", 1, target=None, committed=None, log_end=2),
    ]
    return make_request(scene, lines)
