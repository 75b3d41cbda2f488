"""Who may set up policies."""

from __future__ import annotations

from kafkaconsole.accounts.models import User
from kafkaconsole.approvals.models import PolicyVersion
from kafkaconsole.teams.verdicts import ALLOWED, Verdict, denied
from kafkaconsole.words import words


def may_administer(user: User) -> Verdict:
    """Administrators only. Everyone who is signed in may read what applies to them."""
    if user.is_active and user.is_administrator:
        return ALLOWED
    return denied(words("Only an administrator can add or change policies."))


def may_confirm(user: User, version: PolicyVersion) -> Verdict:
    """Another administrator than the one who made the version."""
    verdict = may_administer(user)
    if verdict and user.pk == version.made_by_id:
        return denied(words("You made this version, so another administrator must confirm it."))
    return verdict
