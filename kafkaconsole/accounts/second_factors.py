"""The second factor: what a person has, asking for it anew, and taking a lost one away."""

from __future__ import annotations

from datetime import timedelta

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.core.cache import cache
from django.db import transaction

from kafkaconsole.accounts import policies, signals
from kafkaconsole.accounts.models import User
from kafkaconsole.encryption import SecretUnreadable, box
from kafkaconsole.errors import NotAllowed
from kafkaconsole.words import words

BEGINS_ENCRYPTED = "gAAAA"
"""How every Fernet text begins: a version byte, and the high bytes of a time stamp before the year 2106."""
TRIES = 5
TRIES_COUNT_FOR = timedelta(minutes=5)


class Sealed(DefaultMFAAdapter):  # type: ignore[misc]  # allauth ships no types
    """Secrets of authenticator apps and recovery codes lie in the database under FIELD_KEYS, not in the clear."""

    def get_totp_issuer(self) -> str:
        """What the app on the phone lists the account under."""
        return "Kafka Console"

    def encrypt(self, text: str) -> str:
        """On the way to the database."""
        return box().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """On the way out; what an earlier version wrote in the clear (base32 or hex digits) is read as it is."""
        if not encrypted_text.startswith(BEGINS_ENCRYPTED):
            return encrypted_text
        try:
            return box().decrypt(encrypted_text.encode()).decode()
        except InvalidToken as error:
            raise SecretUnreadable(field="second factor") from error


def confirm(person: User, *, password: str, code: str) -> None:
    """That it is the person and not an open browser: the password, and where they have a second factor a code of the
    app or a recovery code, each good for once. Raises NotAllowed, also after five attempts that failed.

    Call it outside a transaction: a refusal must not take the count of attempts back with it.
    """
    counted = f"confirm-failed-{person.pk}"
    cache.add(counted, 0, timeout=int(TRIES_COUNT_FOR.total_seconds()))
    if int(cache.get(counted, 0)) >= TRIES:
        raise NotAllowed(reason=words("Too many attempts to confirm failed. Wait five minutes and try again."))
    if not (password and person.check_password(password)):
        _count(counted)
        raise NotAllowed(reason=words("That is not your password. Nothing was done."))
    if person.has_second_factor and not _is_code_of(person, code.strip()):
        _count(counted)
        raise NotAllowed(
            reason=words("That is no code of your second factor, or it was used before. Nothing was done.")
        )


@transaction.atomic
def take_away(*, by: User, person: User) -> int:
    """Remove everything of someone who lost it, so that the password alone signs in; how many. Raises NotAllowed."""
    policies.require_administrator(by)
    found = Authenticator.objects.filter(user=person)
    kinds = sorted(found.values_list("type", flat=True))
    if kinds:
        found.delete()
        signals.factors_taken_away.send(User, person=person, by=by, kinds=kinds)
    return len(kinds)


def _is_code_of(person: User, code: str) -> bool:
    if not code:
        return False
    typed = Authenticator.objects.filter(user=person).exclude(type=Authenticator.Type.WEBAUTHN)
    return any(one.wrap().validate_code(code) for one in typed)


def _count(counted: str) -> None:
    try:
        cache.incr(counted)
    except ValueError:  # its five minutes ended in between
        cache.add(counted, 1, timeout=int(TRIES_COUNT_FOR.total_seconds()))
