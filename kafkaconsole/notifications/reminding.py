"""What is told because of the clock: that a request will expire, and once a day what waits for a person."""

from __future__ import annotations

import zoneinfo
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from kafkaconsole.notifications import outbox, recipients
from kafkaconsole.notifications.models import Choices, Message
from kafkaconsole.notifications.recipients import Recipient
from kafkaconsole.notifications.topics import Topic
from kafkaconsole.resets.models import ResetRequest
from kafkaconsole.resets.states import OPEN, WRITING

SHARE = 4
"""A request of a short life is told of when a quarter of it is left."""
LATE_HOURS = 3
"""So many hours after its own a digest may still come, when beat or the workers were away."""


def remind() -> None:
    """Beat: what is due by the clock; besides, what ended long ago is dropped. Whoever was told of it already is not told again."""
    now = timezone.now()
    outbox.forget(now)
    _expiring(now)
    if settings.MAIL_IS_SET_UP:
        _digests(now)


def is_near(request: ResetRequest, now: datetime) -> bool:
    """Whether it expires so soon that people are told."""
    life: timedelta = request.expires_at - request.created_at
    ahead = min(settings.REMIND_BEFORE, life / SHARE)
    return bool(request.expires_at - ahead <= now < request.expires_at)


def _expiring(now: datetime) -> None:
    rows = ResetRequest.objects.filter(
        state__in=sorted(OPEN - WRITING), expires_at__gt=now, expires_at__lte=now + settings.REMIND_BEFORE
    )
    for request in rows.select_related("team", "requester", "plan"):
        occasion = f"reminder:{request.pk}:{request.expires_at.isoformat()}"
        if is_near(request, now) and not Message.objects.filter(occasion=occasion).exists():
            outbox.write(recipients.reminded_of(request), occasion=occasion, at=now, request=request)


def _digests(now: datetime) -> None:
    able = Choices.objects.filter(digest_hour__isnull=False, person__is_active=True).exclude(person__email="")
    for chosen in able.select_related("person"):
        here = now.astimezone(zoneinfo.ZoneInfo(chosen.person.time_zone or settings.TIME_ZONE))
        hour = chosen.digest_hour or 0
        if hour <= here.hour < hour + LATE_HOURS:
            told = [Recipient(Topic.DIGEST, person=chosen.person_id)]
            outbox.write(told, occasion=f"digest:{here.date()}", at=now)
