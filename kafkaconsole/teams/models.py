"""Teams and who is in them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Team(models.Model):
    """People who own consumer groups together."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=80, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class TeamRole(models.TextChoices):
    """What a person may do in one team."""

    MEMBER = "member", _("Member")
    APPROVER = "approver", _("Approver")
    OWNER = "owner", _("Owner")


class ProviderRole(models.Model):
    """What a group claim of the sign-in provider gave a person: a role in a team, or (no team) a role everywhere.

    Without the row a role was given by hand, and no claim takes it away.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="provider_roles")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="+")
    role = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "team"], name="one_provider_role_per_person_and_team"),
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(team=None), name="one_provider_role_everywhere_per_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.team or 'everything'}"


class Membership(models.Model):
    """One person in one team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=TeamRole.choices, default=TeamRole.MEMBER)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="one_membership_per_person_and_team")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team} ({self.role})"


class Delegation(models.Model):
    """While `by` is away, from `starts_at` until just before `ends_at`, the signature of `to` counts as theirs: for one
    team, or (None) for all of theirs. `ended_at`: it was ended by hand then. What it lends is what `by` may do at the
    moment of asking (docs/decisions/0066)."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="lent")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="borrowed")
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.CASCADE, related_name="delegations")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["starts_at", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="a_delegation_ends_after_it_starts"),
            models.CheckConstraint(condition=~Q(by=F("to")), name="nobody_delegates_to_themselves"),
        ]

    def __str__(self) -> str:
        return f"{self.to} for {self.by}"
