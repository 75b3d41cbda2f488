"""Who is told of an event of a request. Plain queries: they run inside the transaction of the change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q, QuerySet

from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.audit.models import AuditEvent
from kafkaconsole.clusters import rights
from kafkaconsole.clusters.models import Environment
from kafkaconsole.notifications.models import Channel, Choices
from kafkaconsole.notifications.topics import (
    GLASS_BROKEN,
    HANDED_OVER,
    OPTIONAL,
    OUTCOMES,
    REVISED,
    TO_SIGN,
    Topic,
)
from kafkaconsole.resets import queries
from kafkaconsole.resets.models import Approval, ResetRequest
from kafkaconsole.resets.states import State
from kafkaconsole.teams.queries import approvers_of


@dataclass(frozen=True, slots=True)
class Recipient:
    """A person or a channel, and as what they are told."""

    topic: Topic
    person: int | None = None
    channel: int | None = None


def people_of(event: AuditEvent, request: ResetRequest) -> list[Recipient]:
    """People to tell, each once, by the first topic that fits them and that they did not leave out; never whoever did it, but for a broken glass."""
    told: dict[int | None, Recipient] = {}
    for one in _wanted(Recipient(topic, person=pk) for topic, people in _by_topic(event, request) for pk in people):
        told.setdefault(one.person, one)
    if event.verb != GLASS_BROKEN:
        told.pop(event.actor_id, None)
    return list(told.values())


def those_who_hear(people: QuerySet[User], topic: Topic) -> list[Recipient]:
    """Of these people those who can be reached and did not choose to leave the topic out."""
    return _wanted(Recipient(topic, person=pk) for pk in _reachable(people))


def waited_for(request: ResetRequest) -> Iterable[int]:
    """People whose signature is waited for and who have not said anything of the plan that stands."""
    said = Approval.objects.filter(request=request, plan=request.plan_id).values("by")
    return _reachable(queries.approvers_waited_for(request).exclude(pk__in=said))


def channels_of(event: AuditEvent, request: ResetRequest) -> list[Recipient]:
    """Channels of the team, and those that hear of everything; a broken glass is told on every one of them."""
    topic = topic_for_channels(event.verb)
    if topic is None:
        return []
    return [Recipient(topic, channel=one.pk) for one in _channels_for(request) if topic not in one.muted]


def reminded_of(request: ResetRequest) -> list[Recipient]:
    """Whoever asked, those whose signature is waited for, and the team's channels: its time is nearly over."""
    found = [one for one in _channels_for(request) if Topic.REMINDER not in one.muted]
    told = [Recipient(Topic.REMINDER, channel=one.pk) for one in found]
    if not settings.MAIL_IS_SET_UP:
        return told
    people = set(_reachable(User.objects.filter(pk=request.requester_id)))
    if request.state == State.PLANNED:
        people |= set(waited_for(request))
    return told + _wanted(Recipient(Topic.REMINDER, person=pk) for pk in sorted(people))


def may_hear(channel: Channel, request: ResetRequest) -> bool:
    """A team's channel hears of its own requests alone, and only while all of the team see them; those of the
    administrators hear of all."""
    if channel.team_id is None:
        return True
    # Not by the cluster: its row has secrets, and a message must go out also when they cannot be read.
    place = Environment.objects.get(clusters=request.cluster_id)
    return request.team_id == channel.team_id and rights.shown_to_team(place)


def _channels_for(request: ResetRequest) -> list[Channel]:
    found = Channel.objects.filter(Q(team=request.team_id) | Q(team__isnull=True), is_active=True).defer("secrets")
    return [one for one in found if may_hear(one, request)]


def topic_for_channels(verb: str) -> Topic | None:
    """As what a channel is told of an event; None: that is between people."""
    if verb == GLASS_BROKEN:
        return Topic.GLASS
    if verb in TO_SIGN:
        return Topic.SIGN
    return Topic.TEAM if verb in OUTCOMES else None


def _by_topic(event: AuditEvent, request: ResetRequest) -> Iterator[tuple[Topic, Iterable[int]]]:
    if event.verb == GLASS_BROKEN:
        administrators = User.objects.filter(role=GlobalRole.ADMINISTRATOR)
        yield (
            Topic.GLASS,
            _reachable(administrators | User.objects.filter(pk__in=approvers_of(request.team).values("pk"))),
        )
        yield Topic.GLASS, _reachable(User.objects.filter(pk=request.requester_id))
    if event.facts.get("mentions"):
        yield Topic.TALK, _named(event.facts.get("mentions"))
    if event.verb == HANDED_OVER:
        yield Topic.TALK, _named([event.facts.get("to")])
    if event.verb == REVISED:
        yield Topic.MINE, _reachable(User.objects.filter(pk=request.requester_id))
        yield Topic.SIGN, _named(event.facts.get("void"))
    if event.verb in TO_SIGN:
        yield Topic.SIGN, waited_for(request)
    if event.verb in OUTCOMES:
        yield Topic.MINE, _reachable(User.objects.filter(pk=request.requester_id))
        yield Topic.TEAM, _reachable(User.objects.filter(memberships__team=request.team_id))


def _named(names: object) -> Iterable[int]:
    told = [str(name) for name in names if name] if isinstance(names, list | tuple) else []
    return _reachable(User.objects.filter(username__in=told))


def _reachable(people: QuerySet[User]) -> Iterable[int]:
    """People who may sign in and have an address."""
    able = people.filter(is_active=True, is_service=False).exclude(email="")
    return able.order_by("pk").values_list("pk", flat=True).distinct()


def _wanted(told: Iterable[Recipient]) -> list[Recipient]:
    """Without those who chose not to hear of it."""
    found = list(told)
    of_people = {one.person for one in found}
    muted = dict(Choices.objects.filter(person__in=of_people).values_list("person", "muted"))
    return [one for one in found if one.topic not in OPTIONAL or one.topic not in muted.get(one.person or 0, ())]
