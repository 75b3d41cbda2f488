"""Attempts at executing a plan, and what became of each partition."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from kafkaconsole.any_text import AnyTextField
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.resets.models.constraints import not_negative
from kafkaconsole.resets.models.plans import Plan
from kafkaconsole.resets.models.requests import ResetRequest
from kafkaconsole.resets.states import OPEN_ATTEMPT, AttemptState, ResultState


class Attempt(models.Model):
    """One try at executing a plan: recorded before the write, settled by reading back. `lease_until` is when others
    may take it over; `worker` names the one process that holds it. `watched_since` is since when, without a break, the
    cluster has answered after the last write whose answer was lost (None: not yet). `group_name` and `cluster` repeat the request's so
    that the database can hold invariant 4."""

    request = models.ForeignKey(ResetRequest, on_delete=models.PROTECT, related_name="attempts")
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    cluster = models.ForeignKey(Cluster, on_delete=models.PROTECT, related_name="+")
    group_name = models.CharField(max_length=LONGEST_GROUP_NAME)
    state = models.CharField(
        max_length=16, choices=[(s.value, s.value) for s in AttemptState], default=AttemptState.RUNNING
    )
    started_at = models.DateTimeField(db_default=Now())
    snapshot_at = models.DateTimeField(null=True, blank=True)  # set before the first write
    write_began_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField()
    watched_since = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=120, blank=True)
    problem = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["request", "number"], name="attempts_are_numbered"),
            models.UniqueConstraint(
                fields=["cluster", "group_name"],
                condition=Q(state__in=sorted(OPEN_ATTEMPT)),
                name="one_open_attempt_per_group",
            ),
            models.CheckConstraint(
                name="the_snapshot_is_saved_before_the_write",
                condition=Q(write_began_at__isnull=True) | Q(snapshot_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of request {self.request_id}"


class AttemptResult(models.Model):
    """What became of one partition. `before` (with metadata and epoch) is the snapshot, taken just before the write."""

    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="results")
    topic = models.CharField(max_length=249)
    topic_id = models.CharField(max_length=32, blank=True)
    partition = models.PositiveIntegerField()
    before = models.BigIntegerField(null=True)
    before_metadata = AnyTextField(blank=True)
    before_epoch = models.IntegerField(null=True)
    target = models.BigIntegerField(null=True)
    after = models.BigIntegerField(null=True)
    state = models.CharField(
        max_length=10, choices=[(s.value, s.value) for s in ResultState], default=ResultState.INTENDED
    )
    problem = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["topic", "partition"]
        constraints = [
            models.UniqueConstraint(fields=["attempt", "topic", "partition"], name="one_result_per_partition"),
            models.CheckConstraint(
                name="result_offsets_are_not_negative", condition=not_negative("before", "target", "after")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}: {self.state}"
