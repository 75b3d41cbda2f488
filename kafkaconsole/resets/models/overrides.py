"""What was set aside for one plan, by whom and why: kept for good, and shown wherever the plan is."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from kafkaconsole.resets.models.plans import Plan
from kafkaconsole.resets.models.requests import ResetRequest


class OverrideKind(models.TextChoices):
    """WINDOW: it may be carried out although it is closed. GLASS: without the signatures, in an emergency."""

    WINDOW = "window", "window"
    GLASS = "glass", "glass"


class Override(models.Model):
    """One rule set aside for one plan. A trigger holds that the policy lets the glass be broken, by another than
    whoever asked."""

    request = models.ForeignKey(ResetRequest, on_delete=models.PROTECT, related_name="overrides")
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="overrides")
    kind = models.CharField(max_length=8, choices=OverrideKind.choices)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["plan", "kind"], name="one_override_of_a_kind_per_plan"),
            models.CheckConstraint(condition=~Q(reason=""), name="an_override_gives_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.plan_id} set aside by {self.by}"
