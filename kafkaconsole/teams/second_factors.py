"""Who must have a second factor: the roles of SECOND_FACTOR_ROLES, everywhere and in teams."""

from __future__ import annotations

from django.conf import settings

from kafkaconsole.accounts.models import User
from kafkaconsole.teams.models import Membership
from kafkaconsole.teams.verdicts import ALLOWED, Verdict, denied
from kafkaconsole.words import words


def role_that_asks(user: User) -> str:
    """The first role of the person for which the settings ask for a second factor; empty: none does.

    Service accounts act by tokens and have none to show.
    """
    asking: list[str] = settings.SECOND_FACTOR_ROLES
    if not asking or user.is_service:
        return ""
    held = {user.role, *Membership.objects.filter(user=user).values_list("role", flat=True)}
    return next((role for role in asking if role in held), "")


def is_set_up(user: User) -> Verdict:
    """Whether the person has what their roles ask for; without it they do nothing else, tokens of theirs neither."""
    role = role_that_asks(user)
    if not role or user.has_second_factor:
        return ALLOWED
    return denied(
        words(
            "The role {role} needs a second factor here, and you have none yet. Set one up under Profile, Second factor.",
            role=role,
        )
    )
