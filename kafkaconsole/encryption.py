"""Secrets at rest: a model field that stores Fernet ciphertext under our own keys (FIELD_KEYS, newest first)."""

from __future__ import annotations

import json
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models

from kafkaconsole.errors import Refused


class SecretUnreadable(Refused):
    """A stored secret was encrypted with a key that is not in FIELD_KEYS; it is never passed on as ciphertext."""

    code = "secrets.unreadable"


def box() -> MultiFernet:
    """The keys in force; the first encrypts, all decrypt."""
    try:
        return MultiFernet([Fernet(key) for key in settings.FIELD_KEYS])
    except ValueError as error:
        raise ImproperlyConfigured("FIELD_KEYS must be a comma-separated list of Fernet keys") from error


class EncryptedJSONField(models.BinaryField):  # type: ignore[type-arg]  # not subscriptable when it runs
    """A small JSON value, encrypted in the database, plain in Python; never searchable, never in a form."""

    def get_prep_value(self, value: Any) -> bytes | None:
        """Encrypt on the way to the database."""
        return None if value is None else box().encrypt(json.dumps(value).encode())

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Decrypt on the way out; a wrong key is an error, never a value."""
        if value is None:
            return None
        try:
            return json.loads(box().decrypt(bytes(value)))
        except InvalidToken as error:
            raise SecretUnreadable(field=self.name) from error
