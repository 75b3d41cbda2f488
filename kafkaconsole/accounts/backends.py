"""Who is let in by a sign-in of whatever kind."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser


class PeopleAlone(AuthenticationBackend):  # type: ignore[misc]  # allauth ships no types
    """Active people. A service account is let in by nothing, also by a session that was opened for it some other way."""

    def user_can_authenticate(self, user: AbstractBaseUser | None) -> bool:
        """Asked at sign-in, and for the session's user at each call."""
        return bool(super().user_can_authenticate(user)) and not getattr(user, "is_service", False)
