"""The outbox, the channels of teams, and what each person wants to hear."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.encryption import EncryptedJSONField
from kafkaconsole.groups.models import Claim
from kafkaconsole.notifications.topics import ABOUT, Topic
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.teams.models import Team


class ChannelKind(models.TextChoices):
    """In which form a channel is told."""

    WEBHOOK = "webhook", lazy("Webhook, signed (HMAC-SHA256)")
    SLACK = "slack", lazy("Slack, or what takes its webhooks")
    TEAMS = "teams", lazy("Microsoft Teams, or what takes its webhooks")


class Channel(models.Model):
    """A place where a team (None: the administrators, who hear of every request) is told.

    `secrets` is `{"url": …, "key": …}`, encrypted: the address itself lets anyone write there; `host` is what pages may
    show of it. A removed channel stays as a row without secrets (`is_active` false), because messages name it.
    """

    team = models.ForeignKey(Team, null=True, blank=True, on_delete=models.CASCADE, related_name="channels")
    kind = models.CharField(max_length=8, choices=ChannelKind.choices)
    name = models.CharField(max_length=80)
    host = models.CharField(max_length=260)
    secrets = EncryptedJSONField(default=dict)
    muted = models.JSONField(default=list, blank=True)  # values of Topic
    is_active = models.BooleanField(default=True)

    class Meta:
        ordering = ["team__name", "name", "id"]

    def __str__(self) -> str:
        return self.name


class Choices(models.Model):
    """What a person wants to hear, in which language; without a row: everything but the digest, in English."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notification_choices"
    )
    language = models.CharField(max_length=8, default="en")
    muted = models.JSONField(default=list, blank=True)  # values of Topic
    digest_hour = models.PositiveSmallIntegerField(null=True, blank=True, validators=[MaxValueValidator(23)])

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(digest_hour__isnull=True) | Q(digest_hour__gte=0, digest_hour__lte=23),
                name="a_digest_has_an_hour_of_the_day",
            )
        ]

    def __str__(self) -> str:
        return f"choices of {self.person}"


class MessageState(models.TextChoices):
    """Where a message is."""

    WAITING = "waiting", lazy("Waiting")
    SENDING = "sending", lazy("Being sent")
    SENT = "sent", lazy("Sent")
    FAILED = "failed", lazy("Failed")
    DROPPED = "dropped", lazy("Not sent")


class Message(models.Model):
    """One person or channel is told of one thing. It holds ids alone: what is said is read when it is sent.

    `occasion` names the thing, so that nobody is told of it twice. `event` is the number of the event of the record;
    `request` or `claim` what it is about, None for tests and digests. `due_at` is when it is tried next, `since` from when on its
    tries are counted; `answer` is the last problem ({"code", "facts"}). `holder` and `lease_until` are the worker's that
    sends it now.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    channel = models.ForeignKey(Channel, null=True, on_delete=models.CASCADE, related_name="messages")
    occasion = models.CharField(max_length=160)
    topic = models.CharField(max_length=10, choices=Topic.choices)
    event = models.PositiveBigIntegerField(null=True)
    request = models.ForeignKey(ResetRequest, null=True, on_delete=models.PROTECT, related_name="messages")
    claim = models.ForeignKey(Claim, null=True, on_delete=models.CASCADE, related_name="messages")
    state = models.CharField(max_length=8, choices=MessageState.choices, default=MessageState.WAITING)
    created_at = models.DateTimeField()
    since = models.DateTimeField()
    due_at = models.DateTimeField()
    holder = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    tries = models.PositiveIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    answer = models.JSONField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["state", "due_at"]), models.Index(fields=["holder"])]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "occasion"], condition=Q(person__isnull=False), name="a_person_is_told_once"
            ),
            models.UniqueConstraint(
                fields=["channel", "occasion"], condition=Q(channel__isnull=False), name="a_channel_is_told_once"
            ),
            models.CheckConstraint(
                condition=Q(person__isnull=True, channel__isnull=False) | Q(person__isnull=False, channel__isnull=True),
                name="a_message_goes_to_a_person_or_a_channel",
            ),
            models.CheckConstraint(
                condition=Q(state=MessageState.SENDING, holder__isnull=False, lease_until__isnull=False)
                | (~Q(state=MessageState.SENDING) & Q(holder__isnull=True, lease_until__isnull=True)),
                name="a_message_is_held_while_it_is_sent",
            ),
            models.CheckConstraint(
                condition=Q(state=MessageState.SENT, sent_at__isnull=False)
                | (~Q(state=MessageState.SENT) & Q(sent_at__isnull=True)),
                name="a_sent_message_says_when",
            ),
            models.CheckConstraint(
                condition=Q(request__isnull=True) | Q(claim__isnull=True), name="a_message_is_about_one_thing"
            ),
            models.CheckConstraint(
                condition=Q(state__in=MessageState.values), name="a_message_is_in_a_state_that_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"message {self.pk} to {self.person or self.channel}"

    @property
    def about(self) -> str | Promise:
        """Its topic as the log names it."""
        return ABOUT[Topic(self.topic)]
