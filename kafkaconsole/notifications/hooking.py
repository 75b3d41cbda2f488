"""Telling a channel: what its messages say, in its form, signed, posted."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone, translation

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.notifications import posting, shapes, telling
from kafkaconsole.notifications.models import Channel, ChannelKind, Message


def send(channel: Channel, messages: Sequence[Message]) -> None:
    """One POST. Raises NotDelivered, RefusedForGood, InternalAddress."""
    numbers = [message.event for message in messages if message.event]
    verbs = list(AuditEvent.objects.filter(number__in=numbers).order_by("number").values_list("verb", flat=True))
    with translation.override("en"), timezone.override("UTC"):
        body = shapes.body_for(channel.kind, messages, telling.stories_of(messages), verbs)
    headers = {"User-Agent": "KafkaConsole", "X-Kafka-Console-Delivery": str(messages[0].pk)}
    if channel.kind == ChannelKind.WEBHOOK:
        now = str(int(timezone.now().timestamp()))
        headers[posting.TIMESTAMP] = now
        headers[posting.SIGNATURE] = posting.signature(str(channel.secrets["key"]), now, body)
    posting.post(str(channel.secrets["url"]), body, headers)
