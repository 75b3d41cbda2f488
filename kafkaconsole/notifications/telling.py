"""What a message says, read from the rows when it is sent, in the language and the zone that are in force then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.display import instants
from kafkaconsole.display.sentences import sentence
from kafkaconsole.display.states import look_of
from kafkaconsole.notifications import bars, happenings
from kafkaconsole.notifications.models import Message
from kafkaconsole.notifications.topics import OUTCOMES, Topic
from kafkaconsole.resets.models import Plan, ResetRequest
from kafkaconsole.resets.pages.sums import lanes_of
from kafkaconsole.resets.pages.words import title_of
from kafkaconsole.words import shown


@dataclass(frozen=True, slots=True)
class Impact:
    """A plan's totals in words, a ruler in letters for each way that partitions go, and the digest that is signed."""

    totals: str
    lanes: tuple[tuple[str, str], ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Story:
    """What happened on one request, oldest first, and how it stands now."""

    request: ResetRequest
    title: str
    state: str
    happened: tuple[str, ...]
    impact: Impact | None
    url: str


def stories_of(messages: Iterable[Message]) -> list[Story]:
    """One story for each request that the messages are about."""
    held = [message for message in messages if message.request_id]
    numbers = [message.event for message in held if message.event]
    events = {event.number: event for event in AuditEvent.objects.filter(number__in=numbers)}
    by_request: dict[int, list[str]] = {}
    for message in held:
        told = by_request.setdefault(message.request_id or 0, [])
        told += [said for said in [_happened(message, events.get(message.event or 0))] if said and said not in told]
    rows = ResetRequest.objects.select_related("cluster", "team", "requester", "plan").in_bulk(by_request)
    return [story_of(rows[pk], tuple(told)) for pk, told in by_request.items()]


def story_of(request: ResetRequest, happened: tuple[str, ...]) -> Story:
    """A request as it stands now."""
    plan = request.plan
    return Story(
        request=request,
        title=plain(str(title_of(request.change, plan))),
        state=str(look_of("request", request.state).label),
        happened=happened,
        impact=impact_of(plan) if plan else None,
        url=address_of(request),
    )


def impact_of(plan: Plan) -> Impact:
    """The numbers that are signed."""
    replayed = ngettext("%(n)s offset is read again", "%(n)s offsets are read again", plan.replayed)
    skipped = ngettext("%(n)s offset is skipped", "%(n)s offsets are skipped", plan.skipped)
    changed = _("%(changed)s of %(all)s partitions change") % {
        "changed": f"{plan.changed_count:,}",
        "all": f"{plan.partitions_count:,}",
    }
    sums = (replayed % {"n": f"{plan.replayed:,}"}, skipped % {"n": f"{plan.skipped:,}"}, changed)
    lanes = tuple((lane.words, bars.bar(lane)) for lane in lanes_of(plan))
    return Impact(" · ".join(sums), lanes, plan.digest)


def address_of(request: ResetRequest) -> str:
    """The page of a request; signing in is asked for there."""
    return absolute(reverse("request", args=[request.pk]))


def absolute(path: str) -> str:
    """An address of the console, from outside."""
    return settings.PUBLIC_URL.rstrip("/") + path


def plain(text: str) -> str:
    """On one line, without letters that steer: names of groups may hold any."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _happened(message: Message, event: AuditEvent | None) -> str:
    if message.topic == Topic.REMINDER and message.request is not None:
        return _("It expires at %(at)s.") % {"at": instants.full(message.request.expires_at)}
    if event is None or message.request is None:
        return ""
    said = happenings.said(event, message.request)
    if message.topic == Topic.TALK and event.verb in OUTCOMES:
        said = f"{said} {happenings.named(event, message.request)}"
    problem = event.facts.get("problem")
    if isinstance(problem, Mapping):
        facts = problem.get("facts")
        why = sentence(str(problem.get("code", "")), facts if isinstance(facts, Mapping) else {})
        said = f"{said} {shown(why)}"
    return said
