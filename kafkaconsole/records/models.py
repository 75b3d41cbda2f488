"""Records that a plan will have read again: listed and downloaded through the database, since no web process
talks to Kafka. A worker writes compressed chunks, the page and the API stream them as they come."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from kafkaconsole.records.look_models import LookState, RecordLook
from kafkaconsole.resets.models import ResetRequest

__all__ = ["ExportChunk", "ExportState", "LookState", "RecordExport", "RecordLook"]


class ExportState(models.TextChoices):
    """Where an export is."""

    WAITING = "waiting", _("Waits for a worker")
    READING = "reading", _("Reads")
    DONE = "done", _("Complete")
    BOUNDED = "bounded", _("Stopped at its limit")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


RUNNING = frozenset({ExportState.WAITING, ExportState.READING})


class RecordExport(models.Model):
    """One reading of the records of a request's plan. `spans` freezes what is read: [[topic, partition, start, stop]].

    `claim` counts how often a worker took it: only the latest claim may write. `tries` are claims in a row without
    progress. Everything before `next_offset` of the span at `span_index` is in the chunks (None: from its start).
    """

    request = models.ForeignKey(ResetRequest, on_delete=models.CASCADE, related_name="exports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    plan_digest = models.CharField(max_length=64)
    until = models.CharField(max_length=10)
    spans = models.JSONField()
    limit = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=ExportState.choices, default=ExportState.WAITING)
    created_at = models.DateTimeField(db_default=Now())
    lease_until = models.DateTimeField(null=True, blank=True)
    claim = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    span_index = models.PositiveIntegerField(default=0)
    next_offset = models.BigIntegerField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    offsets_total = models.PositiveBigIntegerField()
    offsets_read = models.PositiveBigIntegerField(default=0)
    records_count = models.PositiveBigIntegerField(default=0)
    bytes_count = models.PositiveBigIntegerField(default=0)
    problem = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["state", "created_at"])]

    def __str__(self) -> str:
        return f"export {self.pk} of request {self.request_id}"

    @property
    def is_final(self) -> bool:
        """Nothing more will come."""
        return self.state not in RUNNING

    @property
    def empty_offsets(self) -> int:
        """Offsets read that held no record: deleted, compacted away, or markers of transactions."""
        return max(0, self.offsets_read - self.records_count)


class ExportChunk(models.Model):
    """A run of JSON lines, zlib-compressed."""

    export = models.ForeignKey(RecordExport, on_delete=models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    lines_count = models.PositiveIntegerField()
    lines = models.BinaryField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["export", "number"], name="chunks_are_numbered")]

    def __str__(self) -> str:
        return f"chunk {self.number} of export {self.export_id}"
