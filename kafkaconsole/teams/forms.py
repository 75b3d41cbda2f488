"""What is typed about teams and their people."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.accounts.forms import RefusableForm
from kafkaconsole.accounts.models import User
from kafkaconsole.teams.models import TeamRole
from kafkaconsole.teams.queries import teams_signed_by

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


def _moment(label: object) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, widget=widget)  # type: ignore[arg-type]  # a lazy text is one


class AwayForm(RefusableForm):
    """Who signs for the person, where, and for how long: wall clocks in the person's own zone."""

    to = forms.CharField(
        label=lazy("Who signs for you: user name"),
        max_length=150,
        widget=forms.TextInput(attrs={"list": "people", "autocomplete": "off", "class": "mono"}),
    )
    team = forms.ChoiceField(label=lazy("For which team"), required=False)
    starts_at = _moment(lazy("From"))
    ends_at = _moment(lazy("Until"))

    def __init__(self, data: QueryDict | None, *, user: User) -> None:
        super().__init__(data)
        teams = [(one.slug, one.name) for one in teams_signed_by(user)]
        self.fields["team"].choices = [("", lazy("all teams that I sign for")), *teams]  # type: ignore[attr-defined]  # a choice field
