"""What a worker does with the outbox: hold what is due, look once more who may know it, send, and say what came of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial

from django.conf import settings
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.errors import ConsoleError
from kafkaconsole.groups.claims.queries import claims_for
from kafkaconsole.notifications import hooking, mailing, outbox, recipients
from kafkaconsole.notifications.errors import RefusedForGood
from kafkaconsole.notifications.models import Channel, ChannelKind, Message
from kafkaconsole.notifications.topics import Topic
from kafkaconsole.problems import problem, problem_of
from kafkaconsole.resets import queries

logger = logging.getLogger(__name__)

WEBHOOKS_AT_ONCE = 5
"""One after the other within one task's time, however slow the other side is."""


def to_person(person_id: int) -> None:
    """One mail with everything that is due for this person; nothing when another worker has it."""
    held = outbox.claim(Message.objects.filter(person=person_id), now=timezone.now())
    if not held:
        return
    person = User.objects.get(pk=person_id)
    telling = _fit(person, held)
    if not telling:
        return
    _try(lambda: mailing.send(person, telling), telling)


def _fit(person: User, held: Sequence[Message]) -> list[Message]:
    """Those that may be sent; the others are dropped, with the reason."""
    if not settings.MAIL_IS_SET_UP:
        outbox.dropped(held, problem("notify.no_mail"))
        return []
    if not person.is_active or not person.email:
        outbox.dropped(held, problem("notify.not_reachable"))
        return []
    asked = {message.request_id for message in held if message.request_id}
    seen = set(queries.requests_for(person).filter(pk__in=asked).values_list("pk", flat=True))
    hidden = [message for message in held if message.request_id and message.request_id not in seen]
    about = {message.claim_id for message in held if message.claim_id}
    shown = set(claims_for(person).filter(pk__in=about).values_list("pk", flat=True))
    hidden += [message for message in held if message.claim_id and message.claim_id not in shown]
    outbox.dropped(hidden, problem("notify.not_theirs"))
    left = [message for message in held if message not in hidden]
    idle = [one for one in left if one.topic == Topic.DIGEST and not queries.inbox_of(person).exists()]
    outbox.dropped(idle, problem("notify.nothing_waits"))
    return [message for message in left if message not in idle]


def to_channel(channel_id: int) -> None:
    """What is due for a channel: a webhook gets one after the other, the rest as one text."""
    mine = Message.objects.filter(channel=channel_id)
    channel = Channel.objects.select_related("team").defer("secrets").get(pk=channel_id)
    one_by_one = channel.kind == ChannelKind.WEBHOOK
    held = outbox.claim(mine, now=timezone.now(), most=WEBHOOKS_AT_ONCE if one_by_one else outbox.MOST_AT_ONCE)
    if not channel.is_active:
        outbox.dropped(held, problem("notify.channel_gone"))
        return
    hidden = [message for message in held if not _may_hear(channel, message)]
    outbox.dropped(hidden, problem("notify.not_theirs"))
    telling = [message for message in held if message not in hidden]
    if one_by_one:
        _one_by_one(channel, telling)
    elif telling:
        _try(lambda: hooking.send(channel, telling), telling)


def _one_by_one(channel: Channel, telling: Sequence[Message]) -> None:
    """In their order; when one does not get through, those after it are not tried now."""
    for place, message in enumerate(telling):
        outcome = _try(partial(hooking.send, channel, [message]), [message])
        if outcome is not None:
            outbox.not_sent(telling[place + 1 :], outcome, for_good=False)
            return


def _try(send: Callable[[], None], messages: Sequence[Message]) -> dict[str, object] | None:
    """Send, and keep what came of it. The problem, if the same one would meet the next message, too."""
    try:
        send()
    except RefusedForGood as error:
        outbox.not_sent(messages, problem_of(error), for_good=True)
        return None
    except ConsoleError as error:
        why = problem_of(error)
    except Exception as error:  # a fault of ours must not be tried for ever, nor hold back what comes after it
        logger.exception("A message could not be made")
        why = problem("notify.broken", kind=type(error).__name__)
    else:
        outbox.sent(messages)
        return None
    logger.warning("A message could not be sent", extra={"first": messages[0].pk, "answer": str(why["facts"])})
    outbox.not_sent(messages, why, for_good=False)
    return why


def _may_hear(channel: Channel, message: Message) -> bool:
    return message.request is None or recipients.may_hear(channel, message.request)
