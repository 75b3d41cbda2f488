"""People: added, changed, given a password by an administrator; their own zone and name. Each with its record."""

from __future__ import annotations

import re
import secrets
import zoneinfo

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from kafkaconsole.accounts import policies, sessions, signals, tokens
from kafkaconsole.accounts.errors import BadPerson, LastAdministrator
from kafkaconsole.accounts.models import GlobalRole, User
from kafkaconsole.words import words

USERNAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,149}")
PASSWORD_BYTES = 12


@transaction.atomic
def add(*, by: User, username: str, name: str, email: str, role: str) -> tuple[User, str]:
    """A new person and the password for their first sign-in, which nobody can see again. Raises BadPerson."""
    policies.require_administrator(by)
    check_username(username)
    person = User(username=username, name=name.strip(), email=email.strip(), role=_role(role))
    password = _give_password(person)
    check(person)
    person.save()
    signals.person_added.send(User, person=person, by=by)
    return person, password


@transaction.atomic
def give_password(*, by: User, person: User) -> str:
    """A new password for the next sign-in of someone who lost theirs; the old one no longer works."""
    policies.require_administrator(by)
    row = User.objects.select_for_update().get(pk=person.pk, is_service=False)
    password = _give_password(row)
    row.save(update_fields=["password", "must_change_password"])
    sessions.end(person=row, by=by)
    signals.password_given.send(User, person=row, by=by)
    return password


@transaction.atomic
def change(*, by: User, person: User, role: str, is_active: bool) -> User:
    """Another role, or sign-in taken away or given back. Raises LastAdministrator.

    Whoever may no longer sign in loses tokens and sessions at once; their open requests are cancelled (`resets` listens).
    """
    policies.require_administrator(by)
    row = User.objects.select_for_update().get(pk=person.pk)
    before = {"role": row.role, "is_active": row.is_active}
    row.role, row.is_active = _role(role), is_active
    if row.is_service and row.role != GlobalRole.MEMBER:
        raise BadPerson(field="role", found=role, expected=words("member: a service account has no role everywhere"))
    others = User.objects.filter(role=GlobalRole.ADMINISTRATOR, is_active=True).exclude(pk=row.pk)
    if not (policies.may_administer_people(row) or others.exists()):
        raise LastAdministrator(user=row.username)
    changed = {field: [value, getattr(row, field)] for field, value in before.items() if value != getattr(row, field)}
    if changed:
        row.save(update_fields=["role", "is_active"])
        if not row.is_active:
            _shut_out(row, by)
        signals.person_changed.send(User, person=row, by=by, changed=changed)
    return row


def _shut_out(person: User, by: User) -> None:
    """Whoever left keeps no way in, not even when sign-in is given back: tokens are revoked and sessions ended."""
    for token in person.tokens.filter(revoked_at=None):
        tokens.revoke(token, by=by)
    sessions.end(person=person, by=by)


@transaction.atomic
def set_profile(*, person: User, name: str, time_zone: str) -> User:
    """A person's own name on pages, and the zone in which they read times; empty: the browser's. Raises BadPerson."""
    if time_zone and time_zone not in zoneinfo.available_timezones():
        raise BadPerson(
            field="time_zone", found=time_zone, expected=words("an IANA name such as Asia/Seoul, or nothing")
        )
    row = User.objects.select_for_update().get(pk=person.pk)
    before = {"name": row.name, "time_zone": row.time_zone}
    row.name, row.time_zone = name.strip(), time_zone
    check(row)
    changed = {field: [value, getattr(row, field)] for field, value in before.items() if value != getattr(row, field)}
    if changed:
        row.save(update_fields=["name", "time_zone"])
        signals.person_changed.send(User, person=row, by=row, changed=changed)
    return row


@transaction.atomic
def choose_password(*, person: User, password: str) -> None:
    """A password of their own (checked by the form); one that was given for once is gone."""
    person.set_password(password)
    person.must_change_password = False
    person.save(update_fields=["password", "must_change_password"])
    signals.password_changed.send(User, person=person)


def _give_password(person: User) -> str:
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    validate_password(password, person)
    person.set_password(password)
    person.must_change_password = True
    return password


def _role(role: str) -> GlobalRole:
    if role not in GlobalRole.values:
        raise BadPerson(field="role", found=role, expected=words("one of {names}", names=", ".join(GlobalRole.values)))
    return GlobalRole(role)


def check_username(username: str) -> None:
    """That a new account may be called so. Raises BadPerson."""
    if not USERNAME.fullmatch(username):
        expected = words("letters, digits and . _ @ + -, at most 150, the first a letter or a digit")
        raise BadPerson(field="username", found=username, expected=expected)
    if User.objects.filter(username__iexact=username).exists():
        raise BadPerson(field="username", found=username, expected=words("a name that nobody else has"))


def check(person: User) -> None:
    """That the row may be kept as it is. Raises BadPerson for its first field that may not."""
    try:
        person.full_clean()
    except ValidationError as error:
        field, sentences = next(iter(error.message_dict.items()))
        found = getattr(person, field, "")
        raise BadPerson(field=field, found=str(found), expected=" ".join(sentences)) from error
