"""What a request asked for before it was changed: kept for good, so that the thread tells what was signed and why."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from kafkaconsole.resets.models.plans import Plan
from kafkaconsole.resets.models.requests import ResetRequest


class Revision(models.Model):
    """One earlier wording of a request, from 1. `plan` is the one it had when it was replaced (None: it had none);
    its approvals name it too. What stands now is on the request itself, and is revision `count + 1`."""

    request = models.ForeignKey(ResetRequest, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    change = models.JSONField()
    reason = models.TextField()
    ticket = models.CharField(max_length=120, blank=True)
    plan = models.ForeignKey(Plan, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    replaced_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    replaced_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["request", "number"]
        constraints = [models.UniqueConstraint(fields=["request", "number"], name="one_revision_of_a_number")]

    def __str__(self) -> str:
        return f"revision {self.number} of request {self.request_id}"
