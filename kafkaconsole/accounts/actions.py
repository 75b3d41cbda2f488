"""People: making the first administrator, and clearing away what has ended."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from kafkaconsole.accounts import sessions
from kafkaconsole.accounts.models import ApiToken, GlobalRole, User

KEPT_AFTER_END = timedelta(days=30)
"""An expired token stays in its owner's list this long, so that they see why a script stopped."""


@transaction.atomic
def create_administrator(*, username: str, password: str, name: str = "", email: str = "") -> User:
    """The first person of an installation. Raises django's ValidationError for a weak password or a taken name."""
    user = User(username=username, name=name, email=email, role=GlobalRole.ADMINISTRATOR)
    validate_password(password, user)
    user.set_password(password)
    user.full_clean()
    user.save()
    return user


def tidy() -> None:
    """Delete expired sessions and tokens that ended long ago."""
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    sessions.forget_ended()
    ApiToken.objects.filter(expires_at__lt=now - KEPT_AFTER_END).delete()
