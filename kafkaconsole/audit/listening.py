"""Records what happens in `accounts`, which stands below this app and so cannot call it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kafkaconsole.accounts import signals
from kafkaconsole.accounts.models import ApiToken, User
from kafkaconsole.audit import actions


def connect() -> None:
    """Called once, when the apps are ready."""
    signals.token_created.connect(_token_created, dispatch_uid="audit.token_created")
    signals.token_revoked.connect(_token_revoked, dispatch_uid="audit.token_revoked")
    signals.person_added.connect(_person_added, dispatch_uid="audit.person_added")
    signals.person_changed.connect(_person_changed, dispatch_uid="audit.person_changed")
    signals.password_given.connect(_password_given, dispatch_uid="audit.password_given")
    signals.password_changed.connect(_password_changed, dispatch_uid="audit.password_changed")


def _token_created(*, token: ApiToken, by: User, **_: Any) -> None:
    facts = {"owner": token.owner.username, "scopes": token.scopes, "expires_at": token.expires_at}
    actions.record("token.created", actor=by, target=token, facts=facts)


def _token_revoked(*, token: ApiToken, by: User, **_: Any) -> None:
    actions.record("token.revoked", actor=by, target=token, facts={"owner": token.owner.username})


def _person_added(*, person: User, by: User, **_: Any) -> None:
    actions.record("person.added", actor=by, target=person, facts={"user": person.username, "role": person.role})


def _person_changed(*, person: User, by: User, changed: Mapping[str, object], **_: Any) -> None:
    actions.record("person.changed", actor=by, target=person, facts={"user": person.username, "changed": changed})


def _password_given(*, person: User, by: User, **_: Any) -> None:
    actions.record("person.password_given", actor=by, target=person, facts={"user": person.username})


def _password_changed(*, person: User, **_: Any) -> None:
    actions.record("person.password_changed", actor=person, target=person, facts={"user": person.username})
