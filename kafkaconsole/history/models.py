"""Rows of the offset history (docs/decisions/0005-history-storage.md).

Two kinds: the latest reading, one row per topic and per group & topic, for pages; and samples, stored only when
something changed, for the past. Offsets are packed per partition (`packing`), so one row holds a whole topic.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from kafkaconsole.clusters.models import Cluster
from kafkaconsole.groups.models import ConsumerGroup


class Topic(models.Model):
    """A topic by Kafka's own id: a topic made again under the same name is another row. `topic_id` is empty while
    nobody may tell it. `log_starts` and `log_ends` are the latest bounds, as of `last_seen_at`."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="topics")
    name = models.CharField(max_length=249)
    topic_id = models.CharField(max_length=32, blank=True)
    partitions_count = models.PositiveIntegerField()
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    log_starts = models.BinaryField(default=bytes)
    log_ends = models.BinaryField(default=bytes)

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["cluster", "name", "topic_id"], name="one_row_per_topic_id")]

    def __str__(self) -> str:
        return self.name


class GroupTopic(models.Model):
    """What a group has on a topic now. `committed` is packed, `behind_since` too (milliseconds since 1970: when the
    log end was first seen beyond the committed offset; absent: not behind, or not known). `metadata` is JSON:
    {"partition": ["metadata", leader epoch or null]}, only where a committer stored something.

    `lag` is the sum over the partitions with a commit, None when one of them is not known. A row is written only when
    something changed (`changed_at`): it holds as of the group's `measured_at`, or as of the start of an open gap.
    """

    group = models.ForeignKey(ConsumerGroup, on_delete=models.CASCADE, related_name="on_topics")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="groups")
    committed = models.BinaryField(default=bytes)
    behind_since = models.BinaryField(default=bytes)
    metadata = models.JSONField(default=dict)
    lag = models.BigIntegerField(null=True, blank=True)
    first_measured_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["group", "topic"], name="one_row_per_group_and_topic"),
            models.CheckConstraint(
                condition=models.Q(lag__isnull=True) | models.Q(lag__gte=0), name="topic_lag_is_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.group} on {self.topic}"


class GroupSample(models.Model):
    """A group's committed offsets on a topic from `at` on, until the next sample or a gap.

    The key begins with what is read together and ends with the instant, so that PostgreSQL can have it in ranges of a day.
    """

    pk = models.CompositePrimaryKey("on_topic_id", "at")
    on_topic = models.ForeignKey(GroupTopic, on_delete=models.CASCADE, related_name="samples", db_index=False)
    at = models.DateTimeField()
    committed = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.on_topic_id} at {self.at}"


class TopicSample(models.Model):
    """A topic's log starts and log ends from `at` on, shared by all groups that read the topic."""

    pk = models.CompositePrimaryKey("topic_id", "at")
    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="samples", db_index=False)
    at = models.DateTimeField()
    log_starts = models.BinaryField()
    log_ends = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.topic_id} at {self.at}"


class Outcome(models.TextChoices):
    """What came of a sweep."""

    RUNNING = "running", _("Running")
    OK = "ok", _("Everything measured")
    PARTIAL = "partial", _("Measured in part")
    FAILED = "failed", _("Nothing measured")
    SKIPPED = "skipped", _("Not started, the one before was still running")


class Sweep(models.Model):
    """One round of measuring a cluster. `at` is the instant of its readings: committed offsets were read just before it,
    log ends just after. `not_measured` is JSON: [{"what", "name", "problem": {"kind", "kafka_error", …}}], the first
    200 of `not_measured_count`. `problem` is {"code", "facts"}."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="sweeps")
    started_at = models.DateTimeField()
    at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome.choices, default=Outcome.RUNNING)
    groups_count = models.PositiveIntegerField(null=True, blank=True)
    partitions_count = models.PositiveIntegerField(null=True, blank=True)
    samples_count = models.PositiveIntegerField(null=True, blank=True)
    not_measured_count = models.PositiveIntegerField(default=0)
    not_measured = models.JSONField(default=list)
    problem = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["cluster", "-started_at"]),
            models.Index(fields=["cluster"], condition=models.Q(outcome=Outcome.RUNNING), name="sweeps_that_run"),
        ]

    def __str__(self) -> str:
        return f"sweep of {self.cluster_id} at {self.started_at}: {self.outcome}"


class Gap(models.Model):
    """A stretch in which nothing was measured: of the whole cluster, of one group, or of one group on one topic.

    It runs from the last good reading to the next; `to_at` None: it lasts.
    """

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="gaps")
    group = models.ForeignKey(ConsumerGroup, null=True, blank=True, on_delete=models.CASCADE, related_name="gaps")
    topic = models.ForeignKey(Topic, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    from_at = models.DateTimeField()
    to_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["from_at"]
        indexes = [models.Index(fields=["cluster", "group", "from_at"])]
        constraints = [
            # One for each kind, because SQLite has no NULLS NOT DISTINCT.
            models.UniqueConstraint(
                fields=["cluster"],
                condition=models.Q(to_at__isnull=True, group__isnull=True),
                name="one_open_gap_of_a_cluster",
            ),
            models.UniqueConstraint(
                fields=["group"],
                condition=models.Q(to_at__isnull=True, topic__isnull=True),
                name="one_open_gap_of_a_group",
            ),
            models.UniqueConstraint(
                fields=["group", "topic"],
                condition=models.Q(to_at__isnull=True, topic__isnull=False),
                name="one_open_gap_of_a_group_on_a_topic",
            ),
        ]

    def __str__(self) -> str:
        return f"gap from {self.from_at} to {self.to_at}"


class Turn(models.Model):
    """When a cluster is to be swept next, and the lease of whoever sweeps it now: never two at once.

    `asked_at` is when a message was last sent for the turn that is due. `measured_until` is the latest good reading.
    """

    cluster = models.OneToOneField(Cluster, on_delete=models.CASCADE, related_name="sweep_turn")
    due_at = models.DateTimeField()
    asked_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    holder = models.CharField(max_length=40, blank=True)
    failures_count = models.PositiveIntegerField(default=0)
    measured_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.cluster_id} is due at {self.due_at}"
