"""Who may set up clusters."""

from __future__ import annotations

from kafkaconsole.accounts.models import User
from kafkaconsole.teams.verdicts import ALLOWED, Verdict, denied
from kafkaconsole.words import words


def may_administer(user: User) -> Verdict:
    """Administrators only: whoever sets an address or a password decides where writes go."""
    if user.is_active and user.is_administrator:
        return ALLOWED
    return denied(words("Only an administrator can add, change, test or remove clusters."))


def may_set_rights(user: User) -> Verdict:
    """Administrators only: whoever sets rights decides who sees, asks, signs and reads."""
    if user.is_active and user.is_administrator:
        return ALLOWED
    return denied(words("Only an administrator can change what roles may do."))
