"""Consumer groups as last measured, and the rules that say which team owns them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from kafkaconsole.clusters.models import Cluster
from kafkaconsole.teams.models import Team


class OwnershipKind(models.TextChoices):
    """How a rule's pattern matches; an exact name wins over a prefix, a longer prefix over a shorter one."""

    NAME = "name", _("Exactly")
    PREFIX = "prefix", _("Begins with")


class OwnershipRule(models.Model):
    """Groups on one cluster (or on all, when `cluster` is None) that belong to a team."""

    cluster = models.ForeignKey(
        Cluster, null=True, blank=True, on_delete=models.CASCADE, related_name="ownership_rules"
    )
    kind = models.CharField(max_length=8, choices=OwnershipKind.choices)
    pattern = models.CharField(max_length=249)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="ownership_rules")

    class Meta:
        ordering = ["pattern"]
        constraints = [
            # Two constraints, because SQLite has no NULLS NOT DISTINCT.
            models.UniqueConstraint(fields=["cluster", "kind", "pattern"], name="one_owner_per_pattern"),
            models.UniqueConstraint(
                fields=["kind", "pattern"],
                condition=models.Q(cluster__isnull=True),
                name="one_owner_per_pattern_everywhere",
            ),
            models.CheckConstraint(condition=~models.Q(pattern=""), name="ownership_pattern_is_not_empty"),
        ]

    def __str__(self) -> str:
        begins = self.kind == OwnershipKind.PREFIX  # English in every language: the audit record keeps it
        return f"{'Begins with' if begins else 'Exactly'} {self.pattern} → {self.team}"


class ConsumerGroup(models.Model):
    """One group as the last sweep saw it: what lists show. Counts and lag are None when they are not known.

    `members` is JSON: [{"member_id", "client_id", "host", "instance_id", "partitions": [["topic", partition], …]}].
    `missing_since` is when its coordinator first said that it does not exist: one such answer proves nothing yet.
    `rewind_expected_until`: a reset was applied just now, so offsets that went back need no second reading until then.
    """

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(max_length=512)
    type = models.CharField(max_length=12)
    state = models.CharField(max_length=24)
    protocol_type = models.CharField(max_length=60, blank=True)
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.SET_NULL, related_name="groups")
    members = models.JSONField(default=list)
    topics_count = models.PositiveIntegerField(null=True, blank=True)
    partitions_count = models.PositiveIntegerField(null=True, blank=True)
    lag = models.BigIntegerField(null=True, blank=True)
    time_lag_s = models.FloatField(null=True, blank=True)
    state_since = models.DateTimeField(null=True, blank=True)
    measured_at = models.DateTimeField(null=True, blank=True)
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    missing_since = models.DateTimeField(null=True, blank=True)
    rewind_expected_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["cluster", "name"], name="one_row_per_group"),
            models.CheckConstraint(
                condition=models.Q(lag__isnull=True) | models.Q(lag__gte=0), name="lag_is_not_negative"
            ),
        ]
        indexes = [
            models.Index(fields=["cluster", "lag"]),
            models.Index(fields=["cluster", "state"]),
            models.Index(fields=["name"]),
            models.Index(fields=["lag"]),
        ]

    def __str__(self) -> str:
        return self.name
