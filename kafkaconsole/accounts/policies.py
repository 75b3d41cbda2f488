"""Who may set up people. Verdicts belong to the teams app, which stands above this one, so these answer yes or no."""

from __future__ import annotations

from kafkaconsole.accounts.models import User
from kafkaconsole.errors import NotAllowed
from kafkaconsole.words import words


def may_administer_people(user: User) -> bool:
    """Administrators."""
    return user.is_active and user.is_administrator


def require_administrator(user: User) -> None:
    """Raise NotAllowed for anyone else."""
    if not may_administer_people(user):
        raise NotAllowed(reason=words("Only an administrator can see and set up people."))
