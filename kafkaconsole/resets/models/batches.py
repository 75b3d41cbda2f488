"""A batch: the same change asked for several groups at once, as linked requests that are each planned and signed alone."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class Batch(models.Model):
    """What its requests have in common; they name it (`ResetRequest.batch`)."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-id"]
        constraints = [models.CheckConstraint(condition=~Q(reason=""), name="a_batch_gives_a_reason")]

    def __str__(self) -> str:
        return f"batch {self.pk}"
