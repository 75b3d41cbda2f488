"""Setting up channels; each with its audit record, which holds no address and no key."""

from __future__ import annotations

import ipaddress
import secrets
import uuid
from collections.abc import Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from kafkaconsole import nudge
from kafkaconsole.accounts.models import User
from kafkaconsole.audit import actions as audit
from kafkaconsole.notifications import outbox, policies
from kafkaconsole.notifications.addresses import is_internal
from kafkaconsole.notifications.errors import BadChannel
from kafkaconsole.notifications.models import Channel, ChannelKind
from kafkaconsole.notifications.recipients import Recipient
from kafkaconsole.notifications.topics import OF_CHANNELS, Topic
from kafkaconsole.teams.models import Team
from kafkaconsole.words import words

LONGEST_URL = 2000


@transaction.atomic
def add(*, by: User, team: Team | None, kind: str, name: str, url: str, heard: Iterable[str]) -> tuple[Channel, str]:
    """A new channel, and the key with which its webhooks are signed (empty for other kinds): it is given here alone.

    Raises NotAllowed, BadChannel.
    """
    policies.may_set_up(by, team).require()
    host = _host_of(url)
    key = secrets.token_urlsafe(32) if kind == ChannelKind.WEBHOOK else ""
    channel = Channel.objects.create(
        team=team, kind=kind, name=name, host=host, secrets={"url": url, "key": key}, muted=_muted(heard)
    )
    audit.record("channel.added", actor=by, target=channel, facts=_facts(channel))
    return channel, key


@transaction.atomic
def change(*, by: User, channel: Channel, name: str, url: str, heard: Iterable[str], new_key: bool = False) -> str:
    """Change it; an empty address stays as it is. The new key when one was asked for, else empty.

    Raises NotAllowed, BadChannel.
    """
    row = Channel.objects.select_for_update().get(pk=channel.pk)
    policies.may_change_channel(by, row).require()
    before = _facts(row)
    if url:
        row.host = _host_of(url)
        row.secrets = {**row.secrets, "url": url}
    key = secrets.token_urlsafe(32) if new_key and row.kind == ChannelKind.WEBHOOK else ""
    if key:
        row.secrets = {**row.secrets, "key": key}
    row.name, row.muted = name, _muted(heard)
    row.save()
    told = {"before": before, "after": _facts(row), "new_address": bool(url), "new_key": bool(key)}
    audit.record("channel.changed", actor=by, target=row, facts=told)
    return key


@transaction.atomic
def remove(*, by: User, channel: Channel) -> None:
    """Take it out of use, and forget its address and key. Raises NotAllowed."""
    policies.may_change_channel(by, channel).require()
    if Channel.objects.filter(pk=channel.pk, is_active=True).update(is_active=False, secrets={}):
        audit.record("channel.removed", actor=by, target=channel, facts=_facts(channel))


@transaction.atomic
def test(*, by: User, channel: Channel) -> None:
    """Have a test message sent at once; the log says what became of it. Raises NotAllowed."""
    policies.may_change_channel(by, channel).require()
    outbox.write([Recipient(Topic.TEST, channel=channel.pk)], occasion=f"test:{uuid.uuid4()}", at=timezone.now())
    audit.record("channel.tested", actor=by, target=channel, facts={"host": channel.host})
    nudge.after_commit(nudge.Nudge.POST, channel_id=channel.pk)


def _muted(heard: Iterable[str]) -> list[str]:
    return sorted(set(OF_CHANNELS) - set(heard))


def _facts(channel: Channel) -> dict[str, object]:
    team = channel.team.slug if channel.team else None
    return {"name": channel.name, "kind": channel.kind, "team": team, "host": channel.host, "muted": channel.muted}


def _host_of(url: str) -> str:
    """The host (and port) of an address that can be posted to. Raises BadChannel; the address itself is never repeated."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise _bad(words("something that is no address")) from error
    if not url.isascii() or not url.isprintable() or " " in url or len(url) > LONGEST_URL:
        raise _bad(words("blanks, or letters that an address has not"))
    if parts.scheme not in (("https", "http") if settings.ALLOW_INTERNAL_WEBHOOKS else ("https",)) or not host:
        raise _bad(words("an address that does not begin so"))
    if parts.username or parts.password:
        raise _bad(words("a user name in the address"))
    if not settings.ALLOW_INTERNAL_WEBHOOKS and _is_internal(host):
        raise _bad(words("an internal address"))
    return f"{host}:{port}" if port else host


def _is_internal(host: str) -> bool:
    """What can be said without looking a name up; when it is sent every address that the name has is looked at."""
    try:
        return is_internal(ipaddress.ip_address(host))
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _bad(found: str) -> BadChannel:
    return BadChannel(field="url", found=found, expected=words("https:// and the name of a public host"))
