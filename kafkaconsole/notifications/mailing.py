"""Mails: composed for one person in their language and zone, as text and HTML, and handed to the mail server."""

from __future__ import annotations

import smtplib
import zoneinfo
from collections.abc import Sequence
from email.utils import parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kafkaconsole.accounts.models import User
from kafkaconsole.notifications import claim_news, telling
from kafkaconsole.notifications.errors import NotDelivered, RefusedForGood
from kafkaconsole.notifications.models import Choices, Message
from kafkaconsole.notifications.telling import Story
from kafkaconsole.notifications.topics import Topic
from kafkaconsole.resets import queries

LONGEST_SUBJECT = 150
MOST_WAITING = 50
"""So many waiting requests are listed in a day's digest."""


def send(person: User, messages: Sequence[Message]) -> None:
    """One mail that tells of all of them. Raises NotDelivered, RefusedForGood."""
    mail = compose(person, messages)
    try:
        mail.send()
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = next(iter(error.recipients.values()))
        raise _refusal(code, answer) from error
    except smtplib.SMTPDataError as error:
        raise _refusal(error.smtp_code, error.smtp_error) from error
    except (smtplib.SMTPException, OSError) as error:
        raise NotDelivered(answer=telling.plain(str(error))[:300] or type(error).__name__) from error


def compose(person: User, messages: Sequence[Message]) -> EmailMultiAlternatives:
    """The mail; its Message-ID is the same at each try, so that a mail server may see that it has it."""
    choices = Choices.objects.filter(person=person).first()
    with (
        translation.override(choices.language if choices else settings.LANGUAGE_CODE),
        timezone.override(_zone(person)),
    ):
        stories, claims = _stories(person, messages), claim_news.stories_of(messages)
        facts = {
            "person": person,
            "stories": stories,
            "claims": claims,
            "is_glass": any(message.topic == Topic.GLASS for message in messages),
            "is_digest": any(message.topic == Topic.DIGEST for message in messages),
            "is_test": any(message.topic == Topic.TEST for message in messages),
            "choices_url": telling.absolute(reverse("notifications")),
            "inbox_url": telling.absolute(reverse("inbox")),
            "language": translation.get_language(),
        }
        mail = EmailMultiAlternatives(
            subject=(claim_news.subject_of(claims) if claims and not stories else _subject(stories, messages))[
                :LONGEST_SUBJECT
            ],
            body=render_to_string("notifications/mail.txt", facts),
            to=[person.email],
            headers={"Message-ID": _message_id(messages), "Auto-Submitted": "auto-generated"},
        )
        mail.attach_alternative(render_to_string("notifications/mail.html", facts), "text/html")
        return mail


def _stories(person: User, messages: Sequence[Message]) -> list[Story]:
    found = telling.stories_of(messages)
    if any(message.topic == Topic.DIGEST for message in messages):
        told = {story.request.pk for story in found}
        waiting = queries.inbox_of(person).exclude(pk__in=told)[:MOST_WAITING]
        found += [telling.story_of(request, ()) for request in waiting]
    return found


def _subject(stories: Sequence[Story], messages: Sequence[Message]) -> str:
    if any(message.topic == Topic.GLASS for message in messages):
        about = ", ".join(str(message.request_id) for message in messages if message.topic == Topic.GLASS)
        return _("The glass was broken: request %(request)s is carried out unsigned") % {"request": about}
    if any(message.topic == Topic.TEST for message in messages):
        return _("A test of Kafka Console’s mail")
    if any(message.topic == Topic.DIGEST for message in messages):
        told = ngettext("%(n)s request waits for you", "%(n)s requests wait for you", len(stories))
        return told % {"n": len(stories)}
    if len(stories) == 1:
        one = stories[0]
        facts = {"id": one.request.pk, "state": one.state, "title": one.title}
        return _("%(state)s: %(title)s (request %(id)s)") % facts
    return ngettext("News of %(n)s request", "News of %(n)s requests", len(stories)) % {"n": len(stories)}


def _message_id(messages: Sequence[Message]) -> str:
    first = min(messages, key=lambda message: message.pk)
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    return f"<kafka-console-{first.pk}-{int(first.since.timestamp())}@{host}>"


def _zone(person: User) -> zoneinfo.ZoneInfo:
    return zoneinfo.ZoneInfo(person.time_zone or settings.TIME_ZONE)


def _refusal(code: int, answer: bytes | str) -> NotDelivered:
    """A mail server's “never” (5xx) or “not now” (4xx)."""
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    told = telling.plain(f"{code} {text}")[:300]
    return RefusedForGood(answer=told) if code >= 500 else NotDelivered(answer=told)
