"""What the sign-in library tells: someone chose a new password."""

from __future__ import annotations

from typing import Any

from allauth.account import signals as sign_in

from kafkaconsole.accounts import people
from kafkaconsole.accounts.models import User


def connect() -> None:
    """Called once, when the apps are ready."""
    for signal in (sign_in.password_changed, sign_in.password_set, sign_in.password_reset):
        signal.connect(_password_changed, dispatch_uid="accounts.password_changed")


def _password_changed(*, user: User, **_: Any) -> None:
    people.note_password_changed(person=user)
