"""Records what happens in `accounts`, which stands below this app and so cannot call it."""

from __future__ import annotations

from typing import Any

from kafkaconsole.accounts import signals
from kafkaconsole.accounts.models import ApiToken, User
from kafkaconsole.audit import actions


def connect() -> None:
    """Called once, when the apps are ready."""
    signals.token_created.connect(_token_created, dispatch_uid="audit.token_created")
    signals.token_revoked.connect(_token_revoked, dispatch_uid="audit.token_revoked")


def _token_created(*, token: ApiToken, by: User, **_: Any) -> None:
    facts = {"owner": token.owner.username, "scopes": token.scopes, "expires_at": token.expires_at}
    actions.record("token.created", actor=by, target=token, facts=facts)


def _token_revoked(*, token: ApiToken, by: User, **_: Any) -> None:
    actions.record("token.revoked", actor=by, target=token, facts={"owner": token.owner.username})
