"""Bearer tokens: made, checked, revoked. Only a SHA-256 is kept; 256 random bits need no slow hash."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from kafkaconsole.accounts import signals
from kafkaconsole.accounts.errors import BadToken
from kafkaconsole.accounts.models import ApiToken, Scope, User
from kafkaconsole.errors import NotAllowed
from kafkaconsole.words import words

MARK = "kc_"
"""How a token begins, so that secret scanners can know it."""
LONGEST_LIFE = timedelta(days=400)
SERVICE_SCOPES = (Scope.READ.value, Scope.REQUEST.value)
"""All that a token of a service account may be good for."""
USED_EVERY = timedelta(minutes=1)
"""`last_used_at` is written no oftener: a busy script must not make every call a write."""


@transaction.atomic
def create(
    owner: User, name: str, scopes: Collection[str], expires_at: datetime, *, by: User | None = None
) -> tuple[ApiToken, str]:
    """A new token and its text, which nobody can see again. `by` is who makes it, the owner unless said."""
    name = name.strip()
    if not 1 <= len(name) <= 80:
        raise BadToken(
            field="name", found=words("{count} characters", count=len(name)), expected=words("1 to 80 characters")
        )
    unknown = sorted(set(scopes) - set(Scope.values))
    if unknown or not scopes:
        raise BadToken(field="scopes", found=", ".join(unknown) or words("nothing"), expected=", ".join(Scope.values))
    _check_scopes_of(owner, scopes)
    now = timezone.now()
    if not now < expires_at <= now + LONGEST_LIFE:
        expected = words("a time from now until {latest}", latest=(now + LONGEST_LIFE).isoformat(timespec="seconds"))
        raise BadToken(field="expires_at", found=expires_at.isoformat(), expected=expected)
    plain = MARK + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        owner=owner,
        made_by=by or owner,
        name=name,
        prefix=plain[:12],
        digest=_digest(plain),
        scopes=sorted(set(scopes)),
        expires_at=expires_at,
    )
    signals.token_created.send(ApiToken, token=token, by=by or owner)
    return token, plain


def _check_scopes_of(owner: User, scopes: Collection[str]) -> None:
    """A service account's token is never good for what the account may not do."""
    beyond = sorted(set(scopes) - set(SERVICE_SCOPES)) if owner.is_service else []
    if beyond:
        expected = words("{names}: a service account signs and administers nothing", names=", ".join(SERVICE_SCOPES))
        raise BadToken(field="scopes", found=", ".join(beyond), expected=expected)


def authenticate(plain: str) -> tuple[User, frozenset[str]] | None:
    """The owner and the scopes of a token in force; None for any other text."""
    if not plain.startswith(MARK):
        return None
    now = timezone.now()
    token = ApiToken.objects.select_related("owner").filter(digest=_digest(plain)).first()
    if token is None or token.revoked_at is not None or token.expires_at <= now or not token.owner.is_active:
        return None
    if token.last_used_at is None or token.last_used_at < now - USED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token.owner, frozenset(token.scopes)


@transaction.atomic
def revoke(token: ApiToken, *, by: User) -> None:
    """End a token at once; again does nothing. Its owner may, and administrators."""
    if by.pk != token.owner_id and not by.is_administrator:
        raise NotAllowed(reason=words("Only its owner or an administrator can revoke a token."))
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        signals.token_revoked.send(ApiToken, token=token, by=by)


def _digest(plain: str) -> str:
    return hashlib.sha256(plain.encode()).hexdigest()
