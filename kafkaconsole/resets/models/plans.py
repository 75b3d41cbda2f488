"""Plans, their lines, and previews: plans that nobody has asked to carry out."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from kafkaconsole.any_text import AnyTextField
from kafkaconsole.approvals.models import PolicyVersion
from kafkaconsole.clusters.models import Cluster
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.resets.models.constraints import not_negative
from kafkaconsole.resets.plans import Action
from kafkaconsole.resets.states import PreviewState


class Plan(models.Model):
    """A computed plan, frozen: triggers refuse to change it or its lines. `change` is the canonical JSON.

    `request` is the request it was made for, None for a preview's; a request's plans are kept for good, a preview's
    may be deleted. `policy_version` is the policy that applied when it was made (None: a preview's plan, one that no
    single policy applies to, or one from before policies were rows), `risk` how risky it is and why (`approvals.risk`). `barred`
    may not sign it: whoever changed the request last, where the policy does not let them (a trigger holds it).
    """

    request = models.ForeignKey(
        "resets.ResetRequest", null=True, blank=True, on_delete=models.PROTECT, related_name="plans"
    )

    digest = models.CharField(max_length=64)
    planned_at = models.DateTimeField()
    kafka_cluster_id = models.CharField(max_length=64)
    group_name = models.CharField(max_length=LONGEST_GROUP_NAME)
    group_type = models.CharField(max_length=12)
    group_state = models.CharField(max_length=24)
    members = models.JSONField(default=list)
    change = models.JSONField()
    resolved_instant = models.DateTimeField(null=True, blank=True)
    partitions_count = models.PositiveIntegerField()
    changed_count = models.PositiveIntegerField()
    replayed = models.PositiveBigIntegerField()
    skipped = models.PositiveBigIntegerField()
    warnings = models.JSONField(default=list)  # [{"code": …, "facts": {…}}]
    command = models.TextField(blank=True)
    refused = models.BooleanField(default=False)
    policy_version = models.ForeignKey(
        PolicyVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="plans"
    )
    barred = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    risk = models.JSONField(null=True, blank=True)  # {"level": …, "reasons": [{"code", "level", "facts"}]}

    def __str__(self) -> str:
        return f"plan {self.digest[:12]}"


class PlanLine(models.Model):
    """One partition of a plan; field names and meaning as in the HTTP API."""

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="lines")
    topic = models.CharField(max_length=249)
    topic_id = models.CharField(max_length=32, blank=True)
    partition = models.PositiveIntegerField()
    log_start = models.BigIntegerField(null=True)
    log_end = models.BigIntegerField(null=True)
    last_stable = models.BigIntegerField(null=True)
    committed = models.BigIntegerField(null=True)
    metadata = AnyTextField(blank=True)
    leader_epoch = models.IntegerField(null=True)
    wanted = models.DecimalField(max_digits=24, decimal_places=0, null=True)  # may lie outside 64 bits
    target = models.BigIntegerField(null=True)
    action = models.CharField(max_length=8, choices=[(one.value, one.value) for one in Action])
    why = models.CharField(max_length=40, blank=True)
    replayed = models.BigIntegerField(null=True)
    skipped = models.BigIntegerField(null=True)
    record_at = models.DateTimeField(null=True)
    record_before_at = models.DateTimeField(null=True)
    put_back_metadata = AnyTextField(null=True)  # noqa: DJ001  None: the text that the group has now stays
    put_back_epoch = models.IntegerField(null=True)

    class Meta:
        ordering = ["topic", "partition"]
        constraints = [
            models.UniqueConstraint(fields=["plan", "topic", "partition"], name="one_line_per_partition"),
            models.CheckConstraint(
                name="plan_line_offsets_are_not_negative",
                condition=not_negative("log_start", "log_end", "committed", "target", "replayed", "skipped"),
            ),
            models.CheckConstraint(
                name="only_set_lines_have_a_target",
                condition=Q(action=Action.SET, target__isnull=False) | (~Q(action=Action.SET) & Q(target__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}: {self.committed} → {self.target}"


class Preview(models.Model):
    """A plan without a request: what the form shows as it is filled in."""

    id = models.UUIDField(primary_key=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")
    change = models.JSONField()
    state = models.CharField(max_length=12, default=PreviewState.PLANNING)
    problem = models.JSONField(null=True, blank=True)
    plan = models.ForeignKey(Plan, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    nudge_at = models.DateTimeField(null=True, blank=True)  # when a tick sends its message again
    holder = models.UUIDField(null=True, blank=True)  # who plans it, until then (see `leases`)

    class Meta:
        indexes = [models.Index(fields=["state", "nudge_at"]), models.Index(fields=["created_at"])]

    def __str__(self) -> str:
        return f"preview {self.id} ({self.state})"
