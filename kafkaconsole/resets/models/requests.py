"""Requests, what approvers said of them, and what others said."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from kafkaconsole.clusters.models import Cluster
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.resets.errors import IllegalMove, StateMoved
from kafkaconsole.resets.models.batches import Batch
from kafkaconsole.resets.models.plans import Plan
from kafkaconsole.resets.states import MOVES, SIGNED, WRITING, State
from kafkaconsole.teams.models import Team


class ResetRequestQuerySet(models.QuerySet["ResetRequest"]):
    """Rows move only here."""

    def move(self, source: State, target: State, **facts: Any) -> None:
        """`UPDATE … WHERE state = source`, which also ends whatever lease there is; raises StateMoved when someone else
        got there first."""
        if target not in MOVES[source]:
            raise IllegalMove(source=source.value, target=target.value)
        if self.filter(state=source).update(state=target, state_since=Now(), holder=None, **facts) != 1:
            raise StateMoved(expected=source.value)


class ResetRequest(models.Model):
    """What a person asks for, its current plan, and where it is in its life.

    `nudge_at` is when a tick sends the row's message again (planning, approved and waiting rows); while a worker holds
    the row (`holder`, see `leases`) it is the end of its lease. `tries` counts the tries in a row that found the cluster
    unavailable.
    """

    cluster = models.ForeignKey(Cluster, on_delete=models.PROTECT, related_name="requests")
    group_name = models.CharField(max_length=LONGEST_GROUP_NAME)
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
    plan_digest = models.CharField(max_length=64, blank=True)  # empty until planned
    approved_digest = models.CharField(max_length=64, blank=True)  # empty until approved; a new plan voids it
    nudge_at = models.DateTimeField(null=True, blank=True)
    holder = models.UUIDField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    problem = models.JSONField(null=True, blank=True)  # why plan_failed, waiting, stale, failed: {"code", "facts"}
    batch = models.ForeignKey(Batch, null=True, blank=True, on_delete=models.PROTECT, related_name="requests")
    undo_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="undone_by")

    objects = ResetRequestQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["state", "state_since"]),
            models.Index(fields=["state", "nudge_at"]),
            models.Index(fields=["cluster", "group_name", "id"]),
        ]
        constraints = [
            models.CheckConstraint(
                name="a_signed_request_has_its_very_plan_approved",
                condition=~Q(state__in=sorted(SIGNED))
                | Q(approved_digest=F("plan_digest"), plan__isnull=False) & ~Q(approved_digest=""),
            ),
            models.UniqueConstraint(
                fields=["cluster", "group_name"],
                condition=Q(state__in=sorted(WRITING)),
                name="one_writing_request_per_group",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="a_request_gives_a_reason"),
        ]

    def __str__(self) -> str:
        return f"request {self.pk}"

    @property
    def the_plan(self) -> Plan:
        """The plan of a request that is in a state with one (planned, signed): there it is never None."""
        if self.plan is None:
            raise ValueError(f"request {self.pk} has no plan in state {self.state}")
        return self.plan


class Decision(models.TextChoices):
    """What an approver said of a plan."""

    APPROVED = "approved", _("Approved")
    REJECTED = "rejected", _("Rejected")


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
            models.UniqueConstraint(fields=["request", "plan", "by"], name="one_signature_per_person_and_plan"),
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
