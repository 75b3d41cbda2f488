"""What people type about themselves, their tokens, and other people."""

from __future__ import annotations

import zoneinfo
from typing import Any

from allauth.account.forms import LoginForm
from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.accounts.models import GlobalRole, Scope
from kafkaconsole.accounts.tokens import SERVICE_SCOPES
from kafkaconsole.display.sentences import sentence
from kafkaconsole.errors import ConsoleError
from kafkaconsole.words import shown

LIVES = [("7", lazy("7 days")), ("30", lazy("30 days")), ("90", lazy("90 days")), ("365", lazy("1 year"))]
SCOPES = [
    (Scope.READ.value, lazy("Read: groups, history, requests")),
    (Scope.REQUEST.value, lazy("Request: ask for resets, comment, cancel")),
    (Scope.APPROVE.value, lazy("Approve: sign and reject")),
    (Scope.ADMIN.value, lazy("Administer: clusters")),
]


class RefusableForm(forms.Form):
    """A form that shows a refusal at the field that it names."""

    def refuse(self, error: ConsoleError) -> None:
        """The refusal's sentence, at its field or above the form."""
        field = str(error.facts.get("field", ""))
        self.add_error(field if field in self.fields else None, shown(sentence(error.code, error.facts)))


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth ships no types
    """Signing in; what is far too long to be a name or a password is told so before a database or a hash has it."""

    LONGEST = {"login": 254, "password": 4096}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, most in self.LONGEST.items():
            self.fields[name].validators.append(MaxLengthValidator(most))
        self.fields["login"].label = lazy("User name or e-mail address")
        self.fields["login"].widget.attrs.pop("placeholder", None)
        self.fields["password"].help_text = ""  # the page says what helps a person who forgot it


class ProfileForm(RefusableForm):
    """A person's own settings."""

    name = forms.CharField(label=lazy("Name on pages"), max_length=120, required=False)
    time_zone = forms.ChoiceField(
        label=lazy("Time zone"), required=False, help_text=lazy("In which pages show times, and forms read them.")
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as a Form takes them
        field = self.fields["time_zone"]
        if isinstance(field, forms.ChoiceField):
            zones = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone or zone == "UTC")
            field.choices = [("", lazy("the browser's")), *((zone, zone) for zone in zones)]


class TokenForm(RefusableForm):
    """A new token."""

    name = forms.CharField(label=lazy("What it is for"), max_length=80)
    scopes = forms.MultipleChoiceField(
        label=lazy("What it may be used for"), choices=SCOPES, widget=forms.CheckboxSelectMultiple
    )
    days = forms.TypedChoiceField(label=lazy("Valid for"), choices=LIVES, coerce=int, initial="90")


class ServiceTokenForm(TokenForm):
    """A new token of a service account, for what such an account may do."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["scopes"]
        if isinstance(field, forms.MultipleChoiceField):
            field.choices = [one for one in SCOPES if one[0] in SERVICE_SCOPES]


class ServiceForm(RefusableForm):
    """A new service account."""

    username = forms.CharField(
        label=lazy("User name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off", "class": "mono"})
    )
    name = forms.CharField(label=lazy("What it does"), max_length=120, required=False)


class PersonForm(RefusableForm):
    """Someone new."""

    username = forms.CharField(
        label=lazy("User name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off", "class": "mono"})
    )
    name = forms.CharField(label=lazy("Name"), max_length=120, required=False)
    email = forms.EmailField(label=lazy("Mail"), required=False)
    role = forms.ChoiceField(label=lazy("Role everywhere"), choices=GlobalRole.choices, initial=GlobalRole.MEMBER)


class ChangePersonForm(RefusableForm):
    """Someone's role, and whether they may sign in."""

    role = forms.ChoiceField(label=lazy("Role everywhere"), choices=GlobalRole.choices)
    is_active = forms.BooleanField(label=lazy("May sign in"), required=False)
