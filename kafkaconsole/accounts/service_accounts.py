"""Service accounts: scripts that are nobody in particular. They have no password and act by tokens that administrators make.

What they may: read, and as members of a team ask for resets. Signing, breaking the glass and administering need a
person (docs/decisions/0062); the database refuses the rows of it, whatever the code does.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from kafkaconsole.accounts import people, policies, signals, tokens
from kafkaconsole.accounts.errors import BadPerson
from kafkaconsole.accounts.models import ApiToken, GlobalRole, User
from kafkaconsole.errors import NotAllowed
from kafkaconsole.words import words


@transaction.atomic
def add(*, by: User, username: str, name: str) -> User:
    """A new one, without a token and in no team yet. Raises NotAllowed, BadPerson."""
    policies.require_administrator(by)
    people.check_username(username)
    account = User(username=username, name=name.strip(), is_service=True, role=GlobalRole.MEMBER)
    account.set_unusable_password()
    people.check(account)
    account.save()
    signals.person_added.send(User, person=account, by=by)
    return account


@transaction.atomic
def switch(*, by: User, account: User, is_active: bool) -> User:
    """Off: its tokens are revoked and its open requests cancelled. On again, it begins without tokens."""
    _require_service(account)
    return people.change(by=by, person=account, role=GlobalRole.MEMBER, is_active=is_active)


@transaction.atomic
def make_token(
    *, by: User, account: User, name: str, scopes: Collection[str], expires_at: datetime
) -> tuple[ApiToken, str]:
    """A token of the account's, and its text, which nobody can see again. Raises NotAllowed, BadToken."""
    policies.require_administrator(by)
    _require_service(account)
    row = User.objects.select_for_update().get(pk=account.pk)
    if not row.is_active:
        raise NotAllowed(reason=words("{account} is switched off. Switch it on first.", account=row))
    return tokens.create(row, name, scopes, expires_at, by=by)


def made_a_token_of(person: User, account: User) -> bool:
    """Whether the person held, once, the text of a token with which the service account acts."""
    return account.is_service and account.tokens.filter(made_by=person).exists()


def _require_service(account: User) -> None:
    if not account.is_service:
        found = words("the user name of a person")
        raise BadPerson(field="username", found=found, expected=words("that of a service account"))
