"""Consumer groups as last measured, the rules that say which team owns them, and what teams claim."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.groups.matching import LONGEST_REGEX, Kind
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.teams.models import Team


class OwnershipKind(models.TextChoices):
    """How a rule's pattern matches, the most exact first; the order of all rules stands in `ownership`."""

    NAME = Kind.NAME, _("Exactly")
    PREFIX = Kind.PREFIX, _("Begins with")
    GLOB = Kind.GLOB, _("Like (with * and ?)")
    REGEX = Kind.REGEX, _("Regular expression")


IN_ENGLISH = {"name": "Exactly", "prefix": "Begins with", "glob": "Like", "regex": "Matches"}
"""The kinds as the audit record keeps them, in every language."""


class OwnershipRule(models.Model):
    """Groups on one cluster, on all of one environment, or (both None) everywhere, that belong to a team."""

    cluster = models.ForeignKey(
        Cluster, null=True, blank=True, on_delete=models.CASCADE, related_name="ownership_rules"
    )
    environment = models.ForeignKey(
        Environment, null=True, blank=True, on_delete=models.CASCADE, related_name="ownership_rules"
    )
    kind = models.CharField(max_length=8, choices=OwnershipKind.choices)
    pattern = models.CharField(max_length=LONGEST_GROUP_NAME)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="ownership_rules")

    class Meta:
        ordering = ["pattern", "pk"]
        constraints = [
            # Three constraints, because SQLite has no NULLS NOT DISTINCT.
            models.UniqueConstraint(fields=["cluster", "kind", "pattern"], name="one_owner_per_pattern"),
            models.UniqueConstraint(
                fields=["environment", "kind", "pattern"], name="one_owner_per_pattern_and_environment"
            ),
            models.UniqueConstraint(
                fields=["kind", "pattern"],
                condition=Q(cluster__isnull=True, environment__isnull=True),
                name="one_owner_per_pattern_everywhere",
            ),
            models.CheckConstraint(condition=~Q(pattern=""), name="ownership_pattern_is_not_empty"),
            models.CheckConstraint(condition=Q(kind__in=OwnershipKind.values), name="ownership_kind_is_known"),
            models.CheckConstraint(
                condition=Q(cluster__isnull=True) | Q(environment__isnull=True), name="ownership_has_one_place"
            ),
            models.CheckConstraint(
                condition=~Q(kind="regex") | Q(LessThanOrEqual(Length("pattern"), LONGEST_REGEX)),
                name="ownership_regex_is_short",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("pattern"), LONGEST_GROUP_NAME),
                name="ownership_pattern_is_no_longer_than_a_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{IN_ENGLISH[self.kind]} {self.pattern} → {self.team}"


class ConsumerGroup(models.Model):
    """One group as the last sweep saw it: what lists show. Counts and lag are None when they are not known.

    `members` is JSON: [{"member_id", "client_id", "host", "instance_id", "partitions": [["topic", partition], …]}].
    `missing_since` is when its coordinator first said that it does not exist: one such answer proves nothing yet.
    `rewind_expected_until`: a reset was applied just now, so offsets that went back need no second reading until then.
    """

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(max_length=LONGEST_GROUP_NAME)
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


class ClaimState(models.TextChoices):
    """What became of a claim."""

    OPEN = "open", _("Waits for an answer")
    GRANTED = "granted", _("Granted")
    REJECTED = "rejected", _("Rejected")
    WITHDRAWN = "withdrawn", _("Withdrawn")


class Claim(models.Model):
    """Someone asks that a group which nobody owns belongs to their team; the group need not be known.

    An open claim has no answer; `answered_by` is who granted, rejected or withdrew it.
    """

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="claims")
    group_name = models.CharField(max_length=LONGEST_GROUP_NAME)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="claims")
    reason = models.TextField()
    claimed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    claimed_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=ClaimState.choices, default=ClaimState.OPEN)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    answered_at = models.DateTimeField(null=True)
    comment = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["cluster", "group_name", "team"], condition=Q(state="open"), name="one_open_claim_per_team"
            ),
            models.CheckConstraint(condition=Q(state__in=ClaimState.values), name="claim_state_is_known"),
            models.CheckConstraint(condition=~Q(reason="") & ~Q(group_name=""), name="claim_says_what_and_why"),
            models.CheckConstraint(
                condition=Q(state="open", answered_by__isnull=True, answered_at__isnull=True, comment="")
                | (~Q(state="open") & Q(answered_by__isnull=False, answered_at__isnull=False)),
                name="claim_has_an_answer_unless_open",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=("granted", "rejected")) | ~Q(answered_by=models.F("claimed_by")),
                name="claim_is_answered_by_somebody_else",
            ),
            models.CheckConstraint(condition=~Q(state="rejected") | ~Q(comment=""), name="claim_is_rejected_with_why"),
        ]

    def __str__(self) -> str:
        return f"{self.group_name} on {self.cluster} for {self.team}"
