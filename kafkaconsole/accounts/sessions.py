"""Where a person is signed in, and ending it. Sessions lie in the database; a row beside each says which browser it is."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone

from kafkaconsole.accounts import policies, signals
from kafkaconsole.accounts.models import SignedInBrowser, User

SEEN_EVERY = timedelta(minutes=5)
"""`seen_at` is written no oftener: looking at pages must not make every one of them a write."""
KNOWN, SEEN = "browser_key", "browser_seen"
"""What the session itself holds: the key under which its row stands, and when that was written (a time stamp)."""


def connect() -> None:
    """Called once, when the apps are ready."""
    user_logged_in.connect(_signed_in, dispatch_uid="accounts.signed_in")


def sessions_of(person: User) -> QuerySet[SignedInBrowser]:
    """The browsers that are signed in now, the one last seen first."""
    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return SignedInBrowser.objects.filter(user=person, key__in=alive)


def see(request: HttpRequest) -> None:
    """Note that the browser is in use, when five minutes have passed or its session was given another key."""
    session, now = request.session, timezone.now()
    known, key = session.get(KNOWN), session.session_key
    if not known or not key or (known == key and session.get(SEEN, 0) > (now - SEEN_EVERY).timestamp()):
        return
    SignedInBrowser.objects.filter(key=known).update(key=key, seen_at=now, address=_address(request))
    _remember(session, key, now)


@transaction.atomic
def end_one(*, person: User, browser_id: int) -> None:
    """Sign one of one's own browsers out. Http404: it is none of theirs, or is signed out already."""
    row = sessions_of(person).filter(pk=browser_id).first()
    if row is None:
        raise Http404(f"You are signed in in no browser {browser_id}.")
    end(person=person, by=person, only=row.key)


@transaction.atomic
def end_all(*, person: User, by: User) -> int:
    """Sign somebody out everywhere; how many browsers. Administrators. Raises NotAllowed."""
    policies.require_administrator(by)
    return end(person=person, by=by)


@transaction.atomic
def end(*, person: User, by: User, but: str = "", only: str = "") -> int:
    """Sign out: all browsers, all `but` the session of that key, or `only` that one; how many. Nobody is asked."""
    rows = SignedInBrowser.objects.filter(user=person).exclude(key=but)
    keys = list((rows.filter(key=only) if only else rows).values_list("key", flat=True))
    count, _ = Session.objects.filter(session_key__in=keys).delete()
    SignedInBrowser.objects.filter(key__in=keys).delete()
    if count:
        signals.sessions_ended.send(User, person=person, by=by, count=count)
    return count


def forget_ended() -> None:
    """Drop the rows of sessions that are no more."""
    SignedInBrowser.objects.exclude(key__in=Session.objects.values("session_key")).delete()


def _signed_in(*, request: HttpRequest, user: User, **_: Any) -> None:
    if not request.session.session_key:
        request.session.save()
    key, now = str(request.session.session_key), timezone.now()
    about = {
        "user": user,
        "device": request.META.get("HTTP_USER_AGENT", "").replace("\0", "")[:300],
        "address": _address(request),
        "since": now,
        "seen_at": now,
    }
    SignedInBrowser.objects.update_or_create(key=key, defaults=about)
    _remember(request.session, key, now)


def _remember(session: Any, key: str, now: datetime) -> None:
    session[KNOWN], session[SEEN] = key, now.timestamp()


def _address(request: HttpRequest) -> str:
    return str(get_adapter(request).get_client_ip(request))[:45]
