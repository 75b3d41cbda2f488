"""What the record is narrowed to."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as lazy

DAY = {"type": "date"}


class FilterForm(forms.Form):
    """Days are whole days in the reader's zone; `until` is a day that counts."""

    actor = forms.CharField(label=lazy("Who"), required=False, max_length=160)
    verb = forms.CharField(
        label=lazy("What"),
        required=False,
        max_length=60,
        widget=forms.TextInput(attrs={"list": "verbs", "placeholder": "reset.", "autocomplete": "off"}),
    )
    target = forms.CharField(label=lazy("On what"), required=False, max_length=400)
    since = forms.DateField(label=lazy("From"), required=False, widget=forms.DateInput(attrs=DAY, format="%Y-%m-%d"))
    until = forms.DateField(label=lazy("Until"), required=False, widget=forms.DateInput(attrs=DAY, format="%Y-%m-%d"))

    def filters(self) -> dict[str, object]:
        """As `queries.events_for` takes them."""
        given = self.cleaned_data
        start, end = given["since"], given["until"]
        return {
            "actor": given["actor"].strip(),
            "verb": given["verb"].strip(),
            "target": given["target"].strip(),
            "start": _midnight(start) if start else None,
            "end": _midnight(end + timedelta(days=1)) if end else None,
        }


def _midnight(day: object) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))  # type: ignore[arg-type]  # a DateField's value
