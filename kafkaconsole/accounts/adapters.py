"""How allauth behaves here: accounts are made by administrators, nobody signs up."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.urls import reverse

from kafkaconsole.accounts import people
from kafkaconsole.accounts.models import User


class ClosedSignup(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """No sign-up page."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def set_password(self, user: User, password: str) -> None:
        """Someone chose their own password: kept and recorded in one transaction."""
        people.choose_password(person=user, password=password)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """On to the console."""
        return reverse("home")
