"""What is typed about teams and their people."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.accounts.forms import RefusableForm
from kafkaconsole.teams.models import TeamRole

ROLES = [
    (TeamRole.MEMBER.value, lazy("Member: asks for resets")),
    (TeamRole.APPROVER.value, lazy("Approver: asks, and signs others' requests")),
    (TeamRole.OWNER.value, lazy("Owner: signs, and changes the team")),
]


class TeamForm(RefusableForm):
    """A new team."""

    name = forms.CharField(label=lazy("Name"), max_length=80)
    slug = forms.CharField(
        label=lazy("Name in addresses"),
        max_length=50,
        help_text=lazy("Small letters, digits and hyphens."),
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )


class MemberForm(RefusableForm):
    """Someone and their role in the team."""

    user = forms.CharField(
        label=lazy("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={"list": "people", "autocomplete": "off", "class": "mono"}),
    )
    role = forms.ChoiceField(label=lazy("Role in the team"), choices=ROLES)
