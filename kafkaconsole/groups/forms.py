"""The filters of the list of groups, and the form of an ownership rule."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.display.states import look_of
from kafkaconsole.groups.models import OwnershipKind
from kafkaconsole.groups.queries import NO_TEAM
from kafkaconsole.kafka.values import LONGEST_GROUP_NAME, GroupState, GroupType

Choices = Sequence[tuple[str, str]]


class FilterForm(forms.Form):
    """What the list is narrowed to; an unknown word narrows nothing and is shown as an error."""

    search = forms.CharField(
        label=lazy("Name"),
        required=False,
        max_length=LONGEST_GROUP_NAME,
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
    """Which groups belong to which team. `place` is "", "cluster NAME" or "environment SLUG"."""

    kind = forms.ChoiceField(label=lazy("Groups whose name"), choices=OwnershipKind.choices)
    pattern = forms.CharField(
        label=lazy("Name, beginning or pattern"),
        max_length=LONGEST_GROUP_NAME,
        strip=False,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )
    place = forms.ChoiceField(label=lazy("On"), required=False)
    team = forms.ChoiceField(label=lazy("Belong to"))

    def __init__(
        self, data: object = None, *, clusters: Choices, environments: Choices, teams: Choices, initial: object = None
    ) -> None:
        super().__init__(data, initial=initial)  # type: ignore[arg-type]  # a QueryDict of the form
        place = self.fields["place"]
        if isinstance(place, forms.ChoiceField):
            place.choices = [
                ("", _("all clusters")),
                (_("An environment"), [(f"environment {slug}", name) for slug, name in environments]),
                (_("A cluster"), [(f"cluster {name}", title) for name, title in clusters]),
            ]
        _offer(self.fields["team"], teams)


class TesterForm(forms.Form):
    """A group whose owner is asked for; it need not be known."""

    on = forms.ChoiceField(label=lazy("Cluster"))
    group = forms.CharField(
        label=lazy("Name of the group"),
        max_length=LONGEST_GROUP_NAME,
        strip=False,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, data: object = None, *, clusters: Choices) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # a QueryDict of the address
        _offer(self.fields["on"], clusters)


def _offer(field: forms.Field, choices: Choices) -> None:
    if isinstance(field, forms.ChoiceField):
        field.choices = choices
