"""The append-only record: every change with who, what, when; chained by a keyed hash (design §2.11)."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class AuditEvent(models.Model):
    """One thing that happened. Triggers refuse UPDATE and DELETE; `mac` chains each event to the one before.

    `actor` is None for the console itself; `actor_name` keeps the name as it was. `facts` is JSON without secrets.
    """

    number = models.PositiveBigIntegerField(unique=True)
    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    actor_name = models.CharField(max_length=160)
    verb = models.CharField(max_length=60)
    target_kind = models.CharField(max_length=40)
    target_id = models.CharField(max_length=64)
    target_label = models.CharField(max_length=400)
    facts = models.JSONField(default=dict)
    previous_mac = models.CharField(max_length=64)
    mac = models.CharField(max_length=64)

    class Meta:
        ordering = ["-number"]
        indexes = [
            models.Index(fields=["target_kind", "target_id", "number"]),
            models.Index(fields=["verb", "number"]),
            models.Index(fields=["actor", "number"]),
            models.Index(fields=["at"]),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.verb} {self.target_label}"


class AuditHead(models.Model):
    """The one row that writers lock to append in order; it holds the last number and mac."""

    number = models.PositiveBigIntegerField(default=0)
    mac = models.CharField(max_length=64, default="")

    def __str__(self) -> str:
        return f"head at {self.number}"
