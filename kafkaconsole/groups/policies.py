"""May this person say who owns which groups?"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from kafkaconsole.accounts.models import User
from kafkaconsole.teams.verdicts import ALLOWED, Verdict, denied
from kafkaconsole.words import words


def may_set_ownership(user: User | AnonymousUser) -> Verdict:
    """Administrators only: whoever owns a group decides who may ask for its resets and who may approve them."""
    if isinstance(user, User) and user.is_active and user.is_administrator:
        return ALLOWED
    return denied(words("Only an administrator may say which team owns which groups."))
