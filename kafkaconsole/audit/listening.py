"""Records what happens in `accounts`, which stands below this app and so cannot call it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allauth.mfa import signals as factors
from allauth.mfa.models import Authenticator
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import transaction

from kafkaconsole.accounts import queries, signals
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
    signals.sessions_ended.connect(_sessions_ended, dispatch_uid="audit.sessions_ended")
    signals.provider_linked.connect(_provider_linked, dispatch_uid="audit.provider_linked")
    signals.provider_refused.connect(_provider_refused, dispatch_uid="audit.provider_refused")
    signals.factors_taken_away.connect(_factors_taken_away, dispatch_uid="audit.factors_taken_away")
    factors.authenticator_added.connect(_factor_added, dispatch_uid="audit.factor_added")
    factors.authenticator_removed.connect(_factor_removed, dispatch_uid="audit.factor_removed")
    factors.authenticator_reset.connect(_factor_renewed, dispatch_uid="audit.factor_renewed")
    factors.authenticator_used.connect(_factor_used, dispatch_uid="audit.factor_used")
    factors.authentication_failed.connect(_factor_failed, dispatch_uid="audit.factor_failed")
    user_logged_in.connect(_signed_in, dispatch_uid="audit.signed_in")
    user_logged_out.connect(_signed_out, dispatch_uid="audit.signed_out")
    user_login_failed.connect(_sign_in_failed, dispatch_uid="audit.sign_in_failed")


def _token_created(*, token: ApiToken, by: User, **_: Any) -> None:
    facts = {"owner": token.owner.username, "scopes": token.scopes, "expires_at": token.expires_at}
    actions.record("token.created", actor=by, target=token, facts=facts)


def _token_revoked(*, token: ApiToken, by: User, **_: Any) -> None:
    actions.record("token.revoked", actor=by, target=token, facts={"owner": token.owner.username})


def _person_added(*, person: User, by: User, **_: Any) -> None:
    verb = "service.added" if person.is_service else "person.added"
    actions.record(verb, actor=by, target=person, facts={"user": person.username, "role": person.role})


def _person_changed(*, person: User, by: User, changed: Mapping[str, object], **_: Any) -> None:
    verb = "service.changed" if person.is_service else "person.changed"
    actions.record(verb, actor=by, target=person, facts={"user": person.username, "changed": changed})


def _password_given(*, person: User, by: User, **_: Any) -> None:
    actions.record("person.password_given", actor=by, target=person, facts={"user": person.username})


def _password_changed(*, person: User, **_: Any) -> None:
    actions.record("person.password_changed", actor=person, target=person, facts={"user": person.username})


def _signed_in(*, user: User, **_: Any) -> None:
    with transaction.atomic():
        actions.record("person.signed_in", actor=user, target=user)


def _signed_out(*, user: User | None, **_: Any) -> None:
    if user is not None:  # nobody was signed in
        with transaction.atomic():
            actions.record("person.signed_out", actor=user, target=user)


def _sign_in_failed(*, credentials: Mapping[str, object], **_: Any) -> None:
    """Only for a name that somebody bears: the record is not for a stranger to fill with names of their own."""
    person = queries.bearer_of(str(credentials.get("username") or credentials.get("email") or ""))
    if person is not None:
        with transaction.atomic():
            actions.record("person.sign_in_failed", actor=None, target=person, facts={"user": person.username})


def _sessions_ended(*, person: User, by: User, count: int, **_: Any) -> None:
    facts = {"user": person.username, "sessions": count}
    actions.record("person.sessions_ended", actor=by, target=person, facts=facts)


def _provider_linked(*, person: User, subject: str, **_: Any) -> None:
    facts = {"user": person.username, "subject": subject}
    actions.record("person.provider_linked", actor=person, target=person, facts=facts)


def _provider_refused(*, person: User, reason: str, **_: Any) -> None:
    facts = {"user": person.username, "by": "provider", "reason": reason}
    actions.record("person.sign_in_failed", actor=None, target=person, facts=facts)


def _factors_taken_away(*, person: User, by: User, kinds: list[str], **_: Any) -> None:
    facts = {"user": person.username, "kinds": kinds}
    actions.record("person.factors_taken_away", actor=by, target=person, facts=facts)


def _factor_added(*, user: User, authenticator: Authenticator, **_: Any) -> None:
    _of_factor("added", user, authenticator)


def _factor_removed(*, user: User, authenticator: Authenticator, **_: Any) -> None:
    _of_factor("removed", user, authenticator)


def _factor_renewed(*, user: User, authenticator: Authenticator, **_: Any) -> None:
    _of_factor("renewed", user, authenticator)


def _factor_used(*, user: User, authenticator: Authenticator, **_: Any) -> None:
    _of_factor("used", user, authenticator)


def _factor_failed(*, user: User, authenticator: Authenticator, **_: Any) -> None:
    """Whoever typed the wrong code had the password, and may be someone else: no actor is claimed."""
    with transaction.atomic():
        facts = {"user": user.username, "kind": authenticator.type}
        actions.record("person.factor_failed", actor=None, target=user, facts=facts)


def _of_factor(what: str, user: User, authenticator: Authenticator) -> None:
    with transaction.atomic():
        facts = {"user": user.username, "kind": authenticator.type}
        actions.record(f"person.factor_{what}", actor=user, target=user, facts=facts)
