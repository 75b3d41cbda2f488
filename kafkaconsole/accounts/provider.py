"""Signing in by a provider (OpenID Connect): who is let in, as whom, and why not (docs/decisions/0063)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import render

from kafkaconsole.accounts import people, signals
from kafkaconsole.accounts.errors import BadPerson
from kafkaconsole.accounts.models import User
from kafkaconsole.errors import NotAllowed
from kafkaconsole.words import shown, words


class Provider(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Asked by the sign-in library once the provider has said who it is."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Never by a form: whoever may have an account has it once `pre_social_login` is through."""
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Find or make the person's account, and give it what the claims say; a refusal is a page with its reason."""
        try:
            with transaction.atomic():
                self._let_in(request, sociallogin)
        except NotAllowed as refused:
            known = sociallogin.user if sociallogin.is_existing else None
            reason = str(refused.facts["reason"])
            if known is not None:
                with transaction.atomic():
                    signals.provider_refused.send(User, person=known, reason=reason)
            page = render(
                request, "account/provider_refused.html", {"reason": shown(refused.facts["reason"])}, status=403
            )
            raise ImmediateHttpResponse(page) from refused

    def _let_in(self, request: HttpRequest, sociallogin: Any) -> None:
        if sociallogin.state.get("process", "login") != "login":
            raise NotAllowed(reason=words("Accounts are linked by their mail address at sign-in, and in no other way."))
        claims = sociallogin.account.extra_data
        groups = frozenset(_groups(claims))
        if not sociallogin.is_existing:
            person = _person_of(_told(claims), groups)
            sociallogin.connect(request, person)
            signals.provider_linked.send(User, person=person, subject=sociallogin.account.uid)
        person = sociallogin.user
        if not person.is_active:
            raise NotAllowed(reason=words("This account may no longer sign in. An administrator can give that back."))
        signals.signed_in_by_provider.send(User, person=person, groups=groups)


def _told(claims: dict[str, Any]) -> dict[str, Any]:
    """What the provider tells of the person: what its page of them says, else what stands in the token."""
    return {**(claims.get("id_token") or {}), **(claims.get("userinfo") or {})}


def _groups(claims: dict[str, Any]) -> Iterator[str]:
    found = _told(claims).get(settings.OIDC_GROUPS_CLAIM, [])
    named = [found] if isinstance(found, str) else found
    if not isinstance(named, list) or not all(isinstance(one, str) for one in named):
        reason = words("The provider’s claim {claim} is no list of names.", claim=settings.OIDC_GROUPS_CLAIM)
        raise NotAllowed(reason=reason)
    yield from named


def _person_of(told: dict[str, Any], groups: frozenset[str]) -> User:
    """The one whose mail address the provider has verified; else someone new, if a group of theirs has a role here."""
    mail = str(told.get("email") or "").strip()
    if not mail or told.get("email_verified") is not True:
        raise NotAllowed(
            reason=words(
                "The provider has verified no mail address of yours, so no account here can be known as yours."
            )
        )
    found = list(User.objects.filter(email__iexact=mail, is_service=False)[:2])
    if len(found) > 1:
        raise NotAllowed(reason=words("Two accounts here have your mail address. An administrator can mend that."))
    return found[0] if found else _new_person(told, mail, groups)


def _new_person(told: dict[str, Any], mail: str, groups: frozenset[str]) -> User:
    if not groups & {group for group, _role in settings.OIDC_ROLES}:
        raise NotAllowed(
            reason=words(
                "No account here has your mail address, and no group of yours has a role here. An administrator can add you."
            )
        )
    username = str(told.get("preferred_username") or mail)
    try:
        people.check_username(username)
        person = User(username=username, name=str(told.get("name") or "")[:120], email=mail)
        person.set_unusable_password()
        people.check(person)
    except BadPerson as error:
        reason = words(
            "No account can be made for you as {username}: expected {expected}. An administrator can add you.",
            username=username,
            expected=error.facts["expected"],
        )
        raise NotAllowed(reason=reason) from error
    person.save()
    signals.person_added.send(User, person=person, by=person)
    return person
