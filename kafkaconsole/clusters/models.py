"""Registered clusters, their environments, and tests of their connections."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from kafkaconsole.encryption import EncryptedJSONField


class Environment(models.Model):
    """Where a cluster belongs (production, staging …). In production, reading messages is off unless switched on."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=60, unique=True)
    is_production = models.BooleanField(default=True)
    may_read_messages = models.BooleanField(default=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Right(models.TextChoices):
    """What a role lets its people do on the clusters of one environment."""

    SEE = "see", _("See")
    REQUEST = "request", _("Ask for resets")
    APPROVE = "approve", _("Sign")
    READ_MESSAGES = "read_messages", _("Read messages")


class Holder(models.TextChoices):
    """What a person is to the team that owns a group: outside it (also where nobody owns it), or a role in it."""

    OUTSIDER = "outsider", _("Everyone else")
    MEMBER = "member", _("Members")
    APPROVER = "approver", _("Approvers")
    OWNER = "owner", _("Owners")


class EnvironmentRight(models.Model):
    """One answer of an environment that differs from the usual (`rights.usual`), or did."""

    environment = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="rights")
    holder = models.CharField(max_length=12, choices=Holder.choices)
    right = models.CharField(max_length=16, choices=Right.choices)
    is_allowed = models.BooleanField()

    class Meta:
        ordering = ["environment", "holder", "right"]
        constraints = [
            models.UniqueConstraint(fields=["environment", "holder", "right"], name="one_answer_per_right"),
            models.CheckConstraint(condition=Q(holder__in=Holder.values), name="right_holder_is_known"),
            models.CheckConstraint(condition=Q(right__in=Right.values), name="right_is_known"),
            models.CheckConstraint(condition=~Q(holder="outsider") | Q(right="see"), name="outsiders_only_see"),
            models.CheckConstraint(condition=~Q(holder="member", right="approve"), name="members_never_sign"),
        ]

    def __str__(self) -> str:
        return f"{self.environment}: {self.holder} {self.right} {'yes' if self.is_allowed else 'no'}"


class Health(models.TextChoices):
    """What the last sweep or test said of a cluster."""

    OK = "ok", _("Answers")
    DEGRADED = "degraded", _("Answers in part")
    UNREACHABLE = "unreachable", _("Does not answer")
    UNKNOWN = "unknown", _("Not yet measured")


class Cluster(models.Model):
    """One Kafka cluster and how to reach it. `cluster_id` is Kafka's own id, None until first seen; a cluster that
    answers with another id is refused. `secrets` holds password and private key, encrypted, never shown again.
    A removed cluster stays as a row without secrets (`is_active` false), because its requests and audit name it.
    """

    name = models.SlugField(max_length=60)
    title = models.CharField(max_length=120)
    environment = models.ForeignKey(Environment, on_delete=models.PROTECT, related_name="clusters")
    bootstrap_servers = models.CharField(max_length=1000)
    security_protocol = models.CharField(max_length=16, default="PLAINTEXT")
    sasl_mechanism = models.CharField(max_length=20, blank=True)
    sasl_username = models.CharField(max_length=200, blank=True)
    ca_pem = models.TextField(blank=True)
    certificate_pem = models.TextField(blank=True)
    check_hostname = models.BooleanField(default=True)
    secrets = EncryptedJSONField(default=dict)  # {"password": …, "key_pem": …}
    cluster_id = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001  None: not seen, never ""
    health = models.CharField(max_length=12, choices=Health.choices, default=Health.UNKNOWN)
    problem = models.JSONField(null=True, blank=True)  # {"code": …, "facts": {…}}
    checked_at = models.DateTimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)  # an IANA name: the zone of those who run it; "": not told
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["name"], condition=Q(is_active=True), name="one_active_cluster_per_name"),
            models.UniqueConstraint(
                fields=["cluster_id"], condition=Q(is_active=True), name="one_active_row_per_kafka_cluster"
            ),
            models.CheckConstraint(condition=~Q(cluster_id=""), name="kafka_cluster_id_is_not_empty"),
        ]

    def __str__(self) -> str:
        return self.title or self.name


class ConnectionTest(models.Model):
    """A connection test asked for by an administrator, done by a worker; `report` is its result in JSON."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="tests")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(db_default=Now())
    nudge_at = models.DateTimeField(null=True, blank=True)  # when a tick sends its message again
    done_at = models.DateTimeField(null=True, blank=True)
    report = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"test of {self.cluster} at {self.asked_at}"
