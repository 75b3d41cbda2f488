"""News of claims: who is told of which, and what a mail says of one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from kafkaconsole.accounts.models import User
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.display.states import look_of
from kafkaconsole.groups.claims.queries import answerers_of
from kafkaconsole.groups.models import Claim
from kafkaconsole.notifications import recipients, telling
from kafkaconsole.notifications.models import Message
from kafkaconsole.notifications.recipients import Recipient
from kafkaconsole.notifications.topics import Topic
from kafkaconsole.words import phrase, shown, words

SENTENCES = {
    "claim.made": phrase("{actor} claims the group for {team}: “{text}”"),
    "claim.granted": phrase("{actor} granted the claim: the group belongs to {team}."),
    "claim.rejected": phrase("{actor} rejected the claim: “{text}”"),
}
"""Events of claims that people are told of."""

LONGEST_TEXT = 600


@dataclass(frozen=True, slots=True)
class ClaimStory:
    """What happened to one claim, oldest first, and how it stands now."""

    claim: Claim
    title: str
    state: str
    happened: tuple[str, ...]
    url: str


def people_of(event: AuditEvent, claim: Claim) -> list[Recipient]:
    """Of a new claim those who may answer it, of an answer whoever claimed it; without those who chose not to hear."""
    if event.verb == "claim.made":
        people, topic = answerers_of(claim), Topic.CLAIM
    else:
        people, topic = User.objects.filter(pk=claim.claimed_by_id), Topic.MINE
    return recipients.those_who_hear(people, topic)


def stories_of(messages: Iterable[Message]) -> list[ClaimStory]:
    """One story for each claim that the messages are about."""
    held = [message for message in messages if message.claim_id]
    events = {one.number: one for one in AuditEvent.objects.filter(number__in=[message.event for message in held])}
    by_claim: dict[int, list[str]] = {}
    for message in held:
        told = by_claim.setdefault(message.claim_id or 0, [])
        told += [_said(events[message.event])] if message.event in events else []
    rows = Claim.objects.select_related("cluster", "team", "claimed_by").in_bulk(by_claim)
    return [_story(rows[pk], tuple(dict.fromkeys(told))) for pk, told in by_claim.items()]


def subject_of(stories: list[ClaimStory]) -> str:
    """Of a mail that is about claims alone."""
    if len(stories) > 1:
        return _("News of claims")
    told = {"state": stories[0].state, "title": stories[0].title}
    return _("%(state)s: %(title)s") % told


def _story(claim: Claim, happened: tuple[str, ...]) -> ClaimStory:
    title = _("Claim of the group %(group)s") % {"group": telling.plain(claim.group_name)}
    url = telling.absolute(reverse("claim", args=[claim.pk]))
    return ClaimStory(claim, title, str(look_of("claim", claim.state).label), happened, url)


def _said(event: AuditEvent) -> str:
    text = str(event.facts.get("reason") or event.facts.get("comment") or "")
    short = text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"
    return shown(words(SENTENCES[event.verb], actor=event.actor_name, team=event.facts.get("team"), text=short))
