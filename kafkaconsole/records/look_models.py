"""A look at a few records around one offset, read by a worker and kept for a short time."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from kafkaconsole.clusters.models import Cluster
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.resets.models import ResetRequest


class LookState(models.TextChoices):
    """Where a look is."""

    WAITING = "waiting", _("Waits for a worker")
    READY = "ready", _("Read")
    FAILED = "failed", _("Failed")


class RecordLook(models.Model):
    """At most `before` records below `offset` and `after` records from there on. Only `by` may see them.

    `read_from` is the lowest offset that was read without a hole up to `offset`; `records` is zlib-compressed JSON
    (`looking.packed`). `for_skip`: the person means to skip a record. `tries` counts the workers that took it.
    """

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")
    group_name = models.CharField(max_length=LONGEST_GROUP_NAME)
    request = models.ForeignKey(ResetRequest, null=True, blank=True, on_delete=models.CASCADE, related_name="looks")
    topic = models.CharField(max_length=249)
    partition = models.PositiveIntegerField()
    offset = models.BigIntegerField()
    before = models.PositiveSmallIntegerField()
    after = models.PositiveSmallIntegerField()
    for_skip = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=LookState.choices, default=LookState.WAITING)
    created_at = models.DateTimeField(db_default=Now())
    lease_until = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    ended_at = models.DateTimeField(null=True, blank=True)
    read_from = models.BigIntegerField(null=True, blank=True)
    records_count = models.PositiveSmallIntegerField(default=0)
    records = models.BinaryField(default=bytes)
    problem = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["state", "created_at"])]
        constraints = [
            models.CheckConstraint(name="a_look_has_an_offset_from_0", condition=Q(offset__gte=0)),
            models.CheckConstraint(name="a_look_is_bounded", condition=Q(before__lte=25, after__gte=1, after__lte=25)),
        ]

    def __str__(self) -> str:
        return f"look {self.pk} at {self.topic}-{self.partition} from {self.offset}"

    @property
    def is_waiting(self) -> bool:
        """Whether the page asks again."""
        return self.state == LookState.WAITING
