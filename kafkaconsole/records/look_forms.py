"""The form that asks for a look: where, and how many records on each side."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.kafka.values import LONGEST_GROUP_NAME, MAX_OFFSET
from kafkaconsole.records.look_actions import MOST_AROUND, Place

FIRST = {"before": "3", "after": "5"}


class PlaceForm(forms.Form):
    """Cleans into a `Place`; the group (by cluster and name) or the request stands beside it."""

    request = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)
    cluster = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    group = forms.CharField(required=False, max_length=LONGEST_GROUP_NAME, strip=False, widget=forms.HiddenInput)
    topic = forms.CharField(max_length=249, widget=forms.HiddenInput)
    partition = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    offset = forms.IntegerField(label=lazy("Offset"), min_value=0, max_value=MAX_OFFSET - 1)
    before = forms.IntegerField(label=lazy("Records before it"), min_value=0, max_value=MOST_AROUND)
    after = forms.IntegerField(label=lazy("Records from it on"), min_value=1, max_value=MOST_AROUND)

    def place(self) -> Place:
        """What was asked, once the form is valid."""
        given = self.cleaned_data
        return Place(given["topic"], given["partition"], given["offset"], given["before"], given["after"])
