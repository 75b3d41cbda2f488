"""What people do with their choices and with messages, and beat's tick."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.notifications import outbox, policies
from kafkaconsole.notifications.errors import NothingToSendAgain
from kafkaconsole.notifications.models import Choices, Message
from kafkaconsole.notifications.recipients import Recipient
from kafkaconsole.notifications.topics import OPTIONAL, Topic

MOST_NUDGES = 500


def tick() -> None:
    """Have everything sent that is due: a nudge to a worker for each person and channel."""
    waiting = outbox.due(timezone.now()).order_by().values_list("person", "channel").distinct()[:MOST_NUDGES]
    for person, channel in waiting:
        _nudge(person, channel)


def choose(*, person: User, language: str, heard: Iterable[str], digest_hour: int | None) -> Choices:
    """Keep what a person wants to hear of (values of OPTIONAL topics), in which language, and at which hour the digest
    comes (None: not at all)."""
    muted = sorted(set(OPTIONAL) - set(heard))
    chosen = {"language": language, "muted": muted, "digest_hour": digest_hour}
    return Choices.objects.update_or_create(person=person, defaults=chosen)[0]


@transaction.atomic
def test_mail(*, person: User) -> None:
    """A mail to oneself, at once."""
    outbox.write([Recipient(Topic.TEST, person=person.pk)], occasion=f"test:{uuid.uuid4()}", at=timezone.now())
    _nudge(person.pk, None)


@transaction.atomic
def send_again(*, message: Message, by: User) -> None:
    """Have a message that has ended sent once more. Raises NotAllowed, NothingToSendAgain."""
    policies.may_send_again(by, message).require()
    if not outbox.again(message):
        raise NothingToSendAgain(message=message.pk)
    audit.record("message.sent_again", actor=by, target=message, facts={"topic": message.topic})
    _nudge(message.person_id, message.channel_id)


def _nudge(person: int | None, channel: int | None) -> None:
    if person is not None:
        nudge.after_commit(nudge.Nudge.MAIL, person_id=person)
    elif channel is not None:
        nudge.after_commit(nudge.Nudge.POST, channel_id=channel)
