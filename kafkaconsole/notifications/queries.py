"""Reads of channels, messages and choices, always for a person."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.http import Http404

from kafkaconsole.accounts.models import User
from kafkaconsole.clusters import rights
from kafkaconsole.notifications.models import Channel, Choices, Message
from kafkaconsole.teams.models import Team, TeamRole


def choices_of(person: User, language: str) -> Choices:
    """A person's choices; those that hold as long as they chose nothing are not in the database."""
    return Choices.objects.filter(person=person).first() or Choices(person=person, language=language)


def owned_by(user: User) -> QuerySet[Team]:
    """Teams that the person owns."""
    return Team.objects.filter(memberships__user=user, memberships__role=TeamRole.OWNER)


def channels_for(user: User) -> QuerySet[Channel]:
    """Channels in use: all for administrators and auditors, those of the teams that one owns."""
    found = Channel.objects.filter(is_active=True).select_related("team").defer("secrets")
    return found if _sees_all(user) else found.filter(team__in=owned_by(user))


def channel_for(user: User, channel_id: int) -> Channel:
    """One channel, or Http404."""
    found = channels_for(user).filter(pk=channel_id).first()
    if found is None:
        raise Http404(f"There is no channel {channel_id} that you may see.")
    return found


def deliveries_for(user: User, *, state: str = "", channel: int | None = None) -> QuerySet[Message]:
    """Messages, newest first: all for administrators and auditors; to a team's owners those to its channels, and those
    to people about its requests."""
    found = Message.objects.select_related("person", "channel__team", "request__team").defer("channel__secrets")
    if not _sees_all(user):
        owned = owned_by(user)
        found = found.filter(Q(channel__team__in=owned) | Q(person__isnull=False, request__team__in=owned))
        hidden = rights.unseen(user, environment="request__cluster__environment", team="request__team")
        found = found.exclude(Q(request__isnull=False) & hidden)
    if state:
        found = found.filter(state=state)
    return found.filter(channel=channel) if channel is not None else found


def delivery_for(user: User, message_id: int) -> Message:
    """One message, or Http404."""
    found = deliveries_for(user).filter(pk=message_id).first()
    if found is None:
        raise Http404(f"There is no message {message_id} that you may see.")
    return found


def _sees_all(user: User) -> bool:
    return user.is_administrator or user.is_auditor
