"""A scene in which mail can be sent, and servers that take it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db.models import F, Value
from django.db.models.functions import Concat
from pytest_django.fixtures import Settings

from kafkaconsole.accounts.models import User
from tests.notifications.servers import Hooks, PostOffice, hook_server, mail_server
from tests.scene import Scene


@pytest.fixture
def office(scene: Scene, settings: Settings) -> Iterator[PostOffice]:
    """Everyone of the cast has an address, and the console a mail server."""
    User.objects.update(email=Concat(F("username"), Value("@example.com")))
    settings.MAIL_IS_SET_UP = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_TIMEOUT = 10
    office = PostOffice()
    with mail_server(office) as port:
        settings.EMAIL_PORT = port
        yield office


@pytest.fixture
def mail_port(office: PostOffice, settings: Settings) -> int:
    """Where the mail server listens."""
    return int(settings.EMAIL_PORT)


@pytest.fixture
def hooks(scene: Scene, settings: Settings) -> Iterator[Hooks]:
    """A webhook's other side, on loopback, where the console may post here."""
    settings.ALLOW_INTERNAL_WEBHOOKS = True
    with hook_server() as hooks:
        yield hooks
