"""What people are told about, and which events of the record belong to it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as lazy


class Topic(models.TextChoices):
    """A kind of news that a person or a channel may leave out; GLASS and TEST nobody can."""

    SIGN = "sign", lazy("Plans that wait for my signature")
    MINE = "mine", lazy("What becomes of what I asked for")
    TEAM = "team", lazy("What becomes of my team’s requests")
    TALK = "talk", lazy("When someone names me, or hands a request over to me")
    CLAIM = "claim", lazy("Groups that a team claims, for me to answer")
    REMINDER = "reminder", lazy("Before a request expires")
    DIGEST = "digest", lazy("What waits for me, once a day")
    GLASS = "glass", lazy("When the glass is broken")
    TEST = "test", lazy("Tests")


ABOUT = {
    Topic.SIGN: lazy("A plan to sign"),
    Topic.MINE: lazy("What became of it"),
    Topic.TEAM: lazy("What became of it"),
    Topic.TALK: lazy("Someone is named, or takes over"),
    Topic.CLAIM: lazy("A claim to answer"),
    Topic.REMINDER: lazy("Expires soon"),
    Topic.DIGEST: lazy("What waits"),
    Topic.GLASS: lazy("The glass was broken"),
    Topic.TEST: lazy("A test"),
}
"""The topics as the log names them."""

TO_SIGN = frozenset({"reset.planned", "reset.sent_back"})
"""Told to those whose signature is waited for."""

OUTCOMES = frozenset(
    f"reset.{what}"
    for what in (
        *("approved", "rejected", "cancelled", "plan_failed", "sent_back", "waiting", "stale", "expired"),
        *("applied", "partly_applied", "failed", "uncertain"),
    )
)
"""Told to whoever asked, and to their team."""

COMMENTED, HANDED_OVER, GLASS_BROKEN = "reset.commented", "reset.handed_over", "reset.glass_broken"
WITHDRAWN = "reset.withdrawn"
"""Told to those alone whom its comment names."""

REVISED = "reset.revised"
"""Told to whoever asked, where someone else changed it, and to those whose signature is void by it."""

TOLD = TO_SIGN | OUTCOMES | {COMMENTED, HANDED_OVER, GLASS_BROKEN, REVISED, WITHDRAWN}
"""Every event that anybody is told of."""

OPTIONAL = (Topic.SIGN, Topic.MINE, Topic.TEAM, Topic.TALK, Topic.CLAIM, Topic.REMINDER)
"""What a person may leave out."""

OF_CHANNELS = (Topic.SIGN, Topic.TEAM, Topic.REMINDER)
"""What a channel may leave out."""
