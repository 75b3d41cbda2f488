"""The rows of the outbox: written with the change, held by one worker while they are sent, tried again, given up.

A row moves by `UPDATE … WHERE state = expected`, so that of two workers (or one message delivered twice) one sends.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.groups.models import Claim
from kafkaconsole.notifications.models import Message, MessageState
from kafkaconsole.notifications.recipients import Recipient
from kafkaconsole.notifications.topics import Topic
from kafkaconsole.resets.models import ResetRequest

LEASE = timedelta(minutes=5)
"""Longer than the hard limit of the task that sends."""
MOST_AT_ONCE = 50
"""So many messages make one mail."""
LEAST_TRIES = 5
"""However late it is, a message is tried so often before it is given up."""
AT_ONCE = frozenset({Topic.GLASS, Topic.TEST, Topic.DIGEST})
"""Not held back for others to join them."""
ENDED = (MessageState.SENT, MessageState.FAILED, MessageState.DROPPED)


def write(
    told: Iterable[Recipient],
    *,
    occasion: str,
    at: datetime,
    event: AuditEvent | None = None,
    request: ResetRequest | None = None,
    claim: Claim | None = None,
) -> None:
    """A message for each, in the caller's transaction; whoever was told of this occasion already is left out."""
    rows = [
        Message(
            person_id=one.person,
            channel_id=one.channel,
            topic=one.topic,
            occasion=occasion,
            event=event.number if event else None,
            request=request,
            claim=claim,
            created_at=at,
            since=at,
            due_at=at if one.topic in AT_ONCE else at + settings.NOTIFY_BATCH,
        )
        for one in told
    ]
    Message.objects.bulk_create(rows, ignore_conflicts=True)


def due(now: datetime) -> QuerySet[Message]:
    """Messages whose time has come; those of a worker that died are waiting again."""
    dead = Message.objects.filter(state=MessageState.SENDING, lease_until__lte=now)
    dead.update(state=MessageState.WAITING, holder=None, lease_until=None, due_at=now)
    return Message.objects.filter(state=MessageState.WAITING, due_at__lte=now)


def claim(mine: QuerySet[Message], *, now: datetime, most: int = MOST_AT_ONCE) -> list[Message]:
    """Hold what is due of these, and what waits beside it for the first time; empty: nothing is due, or another has it."""
    if not mine.filter(state=MessageState.WAITING, due_at__lte=now).exists():
        return []
    holder = uuid.uuid4()
    ripe = mine.filter(Q(due_at__lte=now) | Q(tries=0), state=MessageState.WAITING).order_by("id")
    keys = list(ripe.values_list("pk", flat=True)[:most])
    Message.objects.filter(pk__in=keys, state=MessageState.WAITING).update(
        state=MessageState.SENDING, holder=holder, lease_until=now + LEASE
    )
    held = Message.objects.filter(holder=holder).select_related("person", "request").order_by("id")
    return list(held)


def sent(messages: Iterable[Message]) -> None:
    """They arrived."""
    for message in messages:
        _end(message, state=MessageState.SENT, sent_at=timezone.now(), answer=None, tries=message.tries + 1)


def dropped(messages: Iterable[Message], why: Mapping[str, object]) -> None:
    """They must not, or can not, be sent."""
    for message in messages:
        _end(message, state=MessageState.DROPPED, answer=dict(why))


def not_sent(messages: Iterable[Message], why: Mapping[str, object], *, for_good: bool) -> None:
    """Another try later, or the end: when the other side said no for good, or has been away for too long."""
    now = timezone.now()
    for message in messages:
        tries = message.tries + 1
        is_over = for_good or (now - message.since >= settings.NOTIFY_TRY_FOR and tries >= LEAST_TRIES)
        state = MessageState.FAILED if is_over else MessageState.WAITING
        _end(message, state=state, answer=dict(why), tries=tries, due_at=now + backoff(tries))


def backoff(tries: int) -> timedelta:
    """1, 2, 4 … minutes, an hour at most."""
    return timedelta(minutes=min(2 ** min(tries - 1, 6), 60))


def forget(now: datetime) -> None:
    """Drop what ended long ago."""
    Message.objects.filter(state__in=ENDED, created_at__lt=now - settings.NOTIFY_KEEP).delete()


def again(message: Message) -> bool:
    """Send one that has ended once more; False when it has not, or somebody else was first."""
    now = timezone.now()
    fresh = {"since": now, "due_at": now, "tries": 0, "sent_at": None, "answer": None}
    return bool(Message.objects.filter(pk=message.pk, state__in=ENDED).update(state=MessageState.WAITING, **fresh))


def _end(message: Message, **facts: object) -> None:
    """Only while we hold it: what another worker took over is theirs."""
    mine = Message.objects.filter(pk=message.pk, state=MessageState.SENDING, holder=message.holder)
    mine.update(holder=None, lease_until=None, **facts)
