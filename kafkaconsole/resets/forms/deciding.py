"""Signatures, comments, and the filters of the list."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.display.states import look_of
from kafkaconsole.resets.states import State


class SignForm(forms.Form):
    """The digest that the approver saw, and a comment that is kept with the signature."""

    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)
    comment = forms.CharField(label=lazy("Comment, kept with your signature"), max_length=2000, required=False)


class CommentForm(forms.Form):
    """Something said on a request."""

    text = forms.CharField(label=lazy("Comment"), max_length=2000)


class FilterForm(forms.Form):
    """What the list of requests is narrowed to; an unknown word is an error at its field, and shows nothing."""

    state = forms.ChoiceField(label=lazy("State"), required=False)
    cluster = forms.ChoiceField(label=lazy("Cluster"), required=False)
    group = forms.CharField(label=lazy("Group"), required=False)
    team = forms.ChoiceField(label=lazy("Team"), required=False)
    requester = forms.CharField(label=lazy("Asked by (user name)"), required=False)

    def __init__(self, data: object, *, clusters: Sequence[tuple[str, str]], teams: Sequence[tuple[str, str]]) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # a QueryDict of the address
        everything = ("", _("all"))
        states = [(state.value, str(look_of("request", state.value).label)) for state in State]
        for name, choices in (("state", states), ("cluster", clusters), ("team", teams)):
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = [everything, *choices]
