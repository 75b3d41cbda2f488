"""What beat and a worker do, without a broker between them."""

from __future__ import annotations

from datetime import datetime, timedelta

import time_machine
from django.utils import timezone

from kafkaconsole.notifications import delivering, outbox
from kafkaconsole.notifications.models import Message

LATER = timedelta(minutes=2)
"""After the time in which news wait for each other."""


def work(at: datetime | None = None) -> None:
    """Send what is due then; two minutes from now unless said otherwise."""
    with time_machine.travel(at or timezone.now() + LATER, tick=False):
        for person, channel in set(outbox.due(timezone.now()).values_list("person", "channel")):
            if person is not None:
                delivering.to_person(person)
            else:
                delivering.to_channel(channel)


def told(verb_or_topic: str) -> set[str]:
    """User names and channels for whom there is a message of the topic."""
    found = Message.objects.filter(topic=verb_or_topic).select_related("person", "channel")
    return {str(one.channel) if one.person is None else one.person.username for one in found}
