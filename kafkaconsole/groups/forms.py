"""The filters of the list of groups, and the form of an ownership rule."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.display.states import look_of
from kafkaconsole.groups.models import OwnershipKind
from kafkaconsole.groups.queries import NO_TEAM
from kafkaconsole.kafka.values import GroupState, GroupType

Choices = Sequence[tuple[str, str]]


class FilterForm(forms.Form):
    """What the list is narrowed to; an unknown word narrows nothing and is shown as an error."""

    search = forms.CharField(
        label=lazy("Name"),
        required=False,
        max_length=512,
        strip=False,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    cluster = forms.ChoiceField(label=lazy("Cluster"), required=False)
    state = forms.ChoiceField(label=lazy("State"), required=False)
    type = forms.ChoiceField(label=lazy("Type"), required=False)
    team = forms.ChoiceField(label=lazy("Team"), required=False)

    def __init__(self, data: object, *, clusters: Choices, teams: Choices) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # a QueryDict of the address
        states = [(state.value, str(look_of("group", state.value).label)) for state in GroupState]
        types = [(kind.value, kind.value) for kind in GroupType]
        offered = {"cluster": clusters, "state": states, "type": types, "team": [*teams, (NO_TEAM, _("nobody"))]}
        for name, choices in offered.items():
            _offer(self.fields[name], [("", _("all")), *choices])


class OwnershipForm(forms.Form):
    """Which groups belong to which team."""

    kind = forms.ChoiceField(label=lazy("Groups whose name"), choices=OwnershipKind.choices)
    pattern = forms.CharField(
        label=lazy("Name or beginning"),
        max_length=249,
        strip=False,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )
    cluster = forms.ChoiceField(label=lazy("On"), required=False)
    team = forms.ChoiceField(label=lazy("Belong to"))

    def __init__(self, data: object = None, *, clusters: Choices, teams: Choices, initial: object = None) -> None:
        super().__init__(data, initial=initial)  # type: ignore[arg-type]  # a QueryDict of the form
        _offer(self.fields["cluster"], [("", _("all clusters")), *clusters])
        _offer(self.fields["team"], teams)


def _offer(field: forms.Field, choices: Choices) -> None:
    if isinstance(field, forms.ChoiceField):
        field.choices = choices
