"""Policies and their versions. A version never changes: plans name the one that applied when they were made."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from kafkaconsole.approvals import quorum
from kafkaconsole.approvals.choosing import GroupPattern, Reach
from kafkaconsole.approvals.risk import Level
from kafkaconsole.approvals.terms import Terms, from_json
from kafkaconsole.clusters.models import Cluster, Environment
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME
from kafkaconsole.teams.models import Team


class Policy(models.Model):
    """A rule of how many sign, who, and when. `current` is the version in force; the built-in one applies wherever
    no other does, and is always in force."""

    name = models.CharField(max_length=80, unique=True)
    is_builtin = models.BooleanField(default=False)
    current = models.OneToOneField(
        "approvals.PolicyVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["-is_builtin", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_builtin"], condition=Q(is_builtin=True), name="there_is_one_builtin_policy"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="a_policy_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class GroupKind(models.TextChoices):
    """How a version's group pattern is read; empty: any group."""

    NAME = "name", _("Exactly")
    PREFIX = "prefix", _("Begins with")


class PolicyVersion(models.Model):
    """One state of a policy: its reach (empty: open), who signs (`needs`), and its terms (`approvals.terms`).

    `is_active` False: from this version on the policy applies nowhere. `needs_second`: it takes effect only once another
    administrator has confirmed it.
    """

    policy = models.ForeignKey(Policy, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    is_active = models.BooleanField(default=True)
    environment = models.ForeignKey(Environment, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    cluster = models.ForeignKey(Cluster, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    group_kind = models.CharField(max_length=8, choices=GroupKind.choices, blank=True)
    group_pattern = models.CharField(max_length=LONGEST_GROUP_NAME, blank=True)
    strategies = models.JSONField(default=list)
    level = models.CharField(max_length=8, choices=[(one.value, one.value) for one in Level], default=Level.LOW)
    requester_may_count = models.BooleanField(default=False)
    break_glass = models.BooleanField(null=True, blank=True)  # None, of an older version: no
    terms = models.JSONField(default=dict)
    note = models.TextField(blank=True)
    needs_second = models.BooleanField(null=True, blank=True)  # None, of an older version: no
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["policy", "number"]
        constraints = [
            models.UniqueConstraint(fields=["policy", "number"], name="policy_versions_are_numbered"),
            models.CheckConstraint(
                condition=Q(group_kind="", group_pattern="") | (~Q(group_kind="") & ~Q(group_pattern="")),
                name="a_group_pattern_has_a_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.policy}, version {self.number}"

    @property
    def name(self) -> str:
        """Its policy's."""
        return self.policy.name

    @property
    def reach(self) -> Reach:
        """Where it applies."""
        environment = self.cluster.environment if self.cluster else self.environment
        pattern = GroupPattern(self.group_pattern, self.group_kind == GroupKind.PREFIX) if self.group_kind else None
        return Reach(
            environment=environment.slug if environment else None,
            cluster=self.cluster.name if self.cluster else None,
            team=self.team.slug if self.team else None,
            group=pattern,
            strategies=frozenset(self.strategies),
            level=Level(self.level),
        )

    @property
    def quorum(self) -> tuple[quorum.Need, ...]:
        """Who signs."""
        return tuple(one.value for one in self.needs.all())

    @property
    def rules(self) -> Terms:
        """What else it says."""
        return from_json(self.terms)


class Confirmation(models.Model):
    """What a second administrator said of a version that needed one. A trigger holds that nobody confirms their own."""

    version = models.OneToOneField(PolicyVersion, on_delete=models.PROTECT, related_name="confirmation")
    is_confirmed = models.BooleanField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.version} {'confirmed' if self.is_confirmed else 'declined'} by {self.by}"


class Need(models.Model):
    """So many signatures of these people; a version's needs are all to be met, each by signatures of its own."""

    version = models.ForeignKey(PolicyVersion, on_delete=models.PROTECT, related_name="needs")
    count = models.PositiveSmallIntegerField(default=1)
    of = models.CharField(max_length=12, choices=[(one.value, one.value) for one in quorum.Of])
    least = models.CharField(max_length=12, choices=[(one.value, one.value) for one in quorum.Least])
    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(count__gte=1, count__lte=9), name="a_need_is_for_one_to_nine"),
            models.CheckConstraint(
                condition=Q(of=quorum.Of.TEAM, team__isnull=False) | (~Q(of=quorum.Of.TEAM) & Q(team__isnull=True)),
                name="only_a_need_of_a_team_names_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.count} × {self.least}, {self.of}"

    @property
    def value(self) -> quorum.Need:
        """As the rules read it."""
        team = self.team
        return quorum.Need(
            count=self.count,
            of=quorum.Of(self.of),
            least=quorum.Least(self.least),
            team=team.slug if team else None,
            team_name=team.name if team else "",
        )
