"""Approvals that their signers took back. An approval itself is never changed (docs/decisions/0002)."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from kafkaconsole.resets.models.requests import Approval


class Withdrawal(models.Model):
    """An approval that counts no longer, because whoever gave it took it back before it was carried out."""

    approval = models.OneToOneField(Approval, on_delete=models.PROTECT, related_name="withdrawal")
    comment = models.TextField(blank=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"withdrawal of {self.approval_id}"
