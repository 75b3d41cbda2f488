"""Request types for views behind a sign-in."""

from __future__ import annotations

from django.http import HttpRequest

from kafkaconsole.accounts.models import User


class SignedInRequest(HttpRequest):
    """A request whose person is known (`login_required` stands before the view)."""

    user: User
