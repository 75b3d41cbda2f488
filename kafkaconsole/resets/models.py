"""Rows of the workflow. What design §2 asks of a database stands here as constraints and in migrations as triggers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from kafkaconsole.clusters.models import Cluster
from kafkaconsole.resets.errors import IllegalMove, StateMoved
from kafkaconsole.resets.plans import Action
from kafkaconsole.resets.states import (
    MOVES,
    OPEN_ATTEMPT,
    SIGNED,
    WRITING,
    AttemptState,
    PreviewState,
    ResultState,
    State,
)
from kafkaconsole.teams.models import Team

OFFSET_AT_LEAST_0 = "{name}_offsets_are_not_negative"


def _not_negative(*fields: str) -> Q:
    condition = Q()
    for field in fields:
        condition &= Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__gte": 0})
    return condition


class Plan(models.Model):
    """A computed plan, frozen: triggers refuse to change or delete it or its lines. `change` is the canonical JSON."""

    digest = models.CharField(max_length=64)
    planned_at = models.DateTimeField()
    kafka_cluster_id = models.CharField(max_length=64)
    group_name = models.CharField(max_length=512)
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
    metadata = models.TextField(blank=True)
    leader_epoch = models.IntegerField(null=True)
    wanted = models.DecimalField(max_digits=24, decimal_places=0, null=True)  # may lie outside 64 bits
    target = models.BigIntegerField(null=True)
    action = models.CharField(max_length=8, choices=[(one.value, one.value) for one in Action])
    why = models.CharField(max_length=40, blank=True)
    replayed = models.BigIntegerField(null=True)
    skipped = models.BigIntegerField(null=True)
    record_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["topic", "partition"]
        constraints = [
            models.UniqueConstraint(fields=["plan", "topic", "partition"], name="one_line_per_partition"),
            models.CheckConstraint(
                name=OFFSET_AT_LEAST_0.format(name="plan_line"),
                condition=_not_negative("log_start", "log_end", "committed", "target", "replayed", "skipped"),
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

    def __str__(self) -> str:
        return f"preview {self.id} ({self.state})"


class ResetRequestQuerySet(models.QuerySet["ResetRequest"]):
    """Rows move only here."""

    def move(self, source: State, target: State, **facts: Any) -> None:
        """`UPDATE … WHERE state = source`; raises StateMoved when someone else got there first."""
        if target not in MOVES[source]:
            raise IllegalMove(source=source.value, target=target.value)
        if self.filter(state=source).update(state=target, state_since=Now(), **facts) != 1:
            raise StateMoved(expected=source.value)


class ResetRequest(models.Model):
    """What a person asks for, its current plan, and where it is in its life."""

    cluster = models.ForeignKey(Cluster, on_delete=models.PROTECT, related_name="requests")
    group_name = models.CharField(max_length=512)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="requests")
    requester = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="requests")
    change = models.JSONField()
    reason = models.TextField()
    ticket = models.CharField(max_length=120, blank=True)
    state = models.CharField(max_length=16, choices=[(s.value, s.value) for s in State], default=State.PLANNING)
    state_since = models.DateTimeField(db_default=Now())
    created_at = models.DateTimeField(db_default=Now())
    not_before = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    plan = models.ForeignKey(Plan, null=True, blank=True, on_delete=models.PROTECT, related_name="requests")
    plan_digest = models.CharField(max_length=64, null=True, blank=True)
    approved_digest = models.CharField(max_length=64, null=True, blank=True)
    problem = models.JSONField(null=True, blank=True)  # why plan_failed, waiting, stale, failed: {"code", "facts"}
    undo_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by")

    objects = ResetRequestQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["state", "state_since"]),
            models.Index(fields=["cluster", "group_name", "id"]),
        ]
        constraints = [
            models.CheckConstraint(
                name="a_signed_request_has_its_very_plan_approved",
                condition=~Q(state__in=sorted(SIGNED)) | Q(approved_digest=F("plan_digest"), plan__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["cluster", "group_name"], condition=Q(state__in=sorted(WRITING)), name="one_writing_request_per_group"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_request_gives_a_reason"),
        ]

    def __str__(self) -> str:
        return f"request {self.pk}"


class Decision(models.TextChoices):
    """What an approver said of a plan."""

    APPROVED = "approved", "Approved"
    REJECTED = "rejected", "Rejected"


class Approval(models.Model):
    """One approver's signature on one plan digest. A trigger checks that `digest` is the plan's own, and that
    `requester` is the request's; the constraint keeps requester and approver apart unless the policy said otherwise."""

    request = models.ForeignKey(ResetRequest, on_delete=models.PROTECT, related_name="approvals")
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="approvals")
    digest = models.CharField(max_length=64)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="approvals")
    requester = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    requester_allowed = models.BooleanField(default=False)
    decision = models.CharField(max_length=10, choices=Decision.choices)
    comment = models.TextField(blank=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="approver_is_not_the_requester", condition=~Q(by=F("requester")) | Q(requester_allowed=True)
            ),
            models.UniqueConstraint(fields=["request", "digest", "by"], name="one_signature_per_person_and_plan"),
        ]

    def __str__(self) -> str:
        return f"{self.by} {self.decision} {self.digest[:12]}"


class Comment(models.Model):
    """What someone said on a request."""

    request = models.ForeignKey(ResetRequest, on_delete=models.CASCADE, related_name="comments")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"comment of {self.by} on {self.request_id}"


class Attempt(models.Model):
    """One try at executing a plan: recorded before the write, settled by reading back. `lease_until` is when others
    may take it over. `group_name` and `cluster` repeat the request's so that the database can hold invariant 4."""

    request = models.ForeignKey(ResetRequest, on_delete=models.PROTECT, related_name="attempts")
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    cluster = models.ForeignKey(Cluster, on_delete=models.PROTECT, related_name="+")
    group_name = models.CharField(max_length=512)
    state = models.CharField(max_length=16, choices=[(s.value, s.value) for s in AttemptState], default=AttemptState.RUNNING)
    started_at = models.DateTimeField(db_default=Now())
    snapshot_at = models.DateTimeField(null=True, blank=True)  # set before the first write
    write_began_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField()
    worker = models.CharField(max_length=120, blank=True)
    problem = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["request", "number"], name="attempts_are_numbered"),
            models.UniqueConstraint(
                fields=["cluster", "group_name"], condition=Q(state__in=sorted(OPEN_ATTEMPT)), name="one_open_attempt_per_group"
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
    before_metadata = models.TextField(blank=True)
    before_epoch = models.IntegerField(null=True)
    target = models.BigIntegerField(null=True)
    after = models.BigIntegerField(null=True)
    state = models.CharField(max_length=10, choices=[(s.value, s.value) for s in ResultState], default=ResultState.INTENDED)
    problem = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["topic", "partition"]
        constraints = [
            models.UniqueConstraint(fields=["attempt", "topic", "partition"], name="one_result_per_partition"),
            models.CheckConstraint(
                name=OFFSET_AT_LEAST_0.format(name="result"), condition=_not_negative("before", "target", "after")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}: {self.state}"
