"""The append-only record: every change with who, what, when; chained by a keyed hash (design §2.11)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now


class AuditEvent(models.Model):
    """One thing that happened. Triggers refuse UPDATE and DELETE; `mac` chains each event to the one before.

    `actor` is None for the console itself; `actor_name` keeps the name as it was. `facts` is JSON without secrets.
    `address` and `request_id` say from where (`audit.origin`).
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
    address = models.CharField(max_length=45, default="", db_default="", blank=True)
    request_id = models.CharField(max_length=64, default="", db_default="", blank=True)
    previous_mac = models.CharField(max_length=64)
    mac = models.CharField(max_length=64)

    class Meta:
        ordering = ["-number"]
        indexes = [
            models.Index(fields=["target_kind", "target_id", "number"]),
            models.Index(fields=["verb", "number"]),
            models.Index(fields=["actor", "number"]),
            models.Index(fields=["at"]),
            models.Index(fields=["request_id", "number"]),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.verb} {self.target_label}"


class AuditHead(models.Model):
    """The one row that writers lock to append in order; it holds the last number and mac."""

    number = models.PositiveBigIntegerField(default=0)
    mac = models.CharField(max_length=64, default="")

    def __str__(self) -> str:
        return f"head at {self.number}"


class AuditSeal(models.Model):
    """Events up to `number` were exported to a file and may be deleted here: the chain goes on from `mac`.

    `file_digest` is the file's SHA-256 and `signature` a keyed hash over the row, so that a seal cannot be made
    without AUDIT_KEY. Triggers refuse to change or delete it, and to delete an event that no seal covers.
    """

    number = models.PositiveBigIntegerField(unique=True)
    mac = models.CharField(max_length=64)
    file_digest = models.CharField(max_length=64)
    at = models.DateTimeField()
    signature = models.CharField(max_length=64)

    class Meta:
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"seal at {self.number}"


class AuditCheck(models.Model):
    """One walk over the whole chain by a worker, asked for on a page or by beat (`asked_by` None)."""

    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(db_default=Now())
    nudge_at = models.DateTimeField(null=True, blank=True)  # when a tick sends its message again
    is_open = models.BooleanField(default=True)
    total = models.PositiveBigIntegerField(default=0)
    checked = models.PositiveBigIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)
    number = models.PositiveBigIntegerField(null=True, blank=True)
    why = models.CharField(max_length=20, blank=True)
    head_number = models.PositiveBigIntegerField(default=0)
    head_mac = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_open"], condition=Q(is_open=True), name="one_open_check_of_the_audit_chain"
            ),
            models.CheckConstraint(
                condition=Q(is_open=True, done_at=None) | Q(is_open=False, done_at__isnull=False),
                name="audit_check_is_open_until_done",
            ),
        ]

    def __str__(self) -> str:
        return f"check of the audit chain at {self.asked_at}"

    @property
    def is_whole(self) -> bool:
        """Done, and nothing was found."""
        return self.done_at is not None and not self.why
