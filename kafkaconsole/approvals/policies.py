"""Who may set up policies."""

from __future__ import annotations

from kafkaconsole.accounts.models import User
from kafkaconsole.teams.verdicts import ALLOWED, Verdict, denied
from kafkaconsole.words import words


def may_administer(user: User) -> Verdict:
    """Administrators only. Everyone who is signed in may read what applies to them."""
    if user.is_active and user.is_administrator:
        return ALLOWED
    return denied(words("Only an administrator can add or change policies."))
