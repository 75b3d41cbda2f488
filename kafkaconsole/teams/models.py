"""Teams and who is in them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
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


class Membership(models.Model):
    """One person in one team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=TeamRole.choices, default=TeamRole.MEMBER)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "user"], name="one_membership_per_person_and_team")]

    def __str__(self) -> str:
        return f"{self.user} in {self.team} ({self.role})"
