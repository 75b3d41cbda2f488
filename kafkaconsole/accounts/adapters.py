"""How allauth behaves here: accounts are made by administrators, nobody signs up."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedSignup(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """No sign-up page."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False
