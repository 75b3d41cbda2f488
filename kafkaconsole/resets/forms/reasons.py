"""Why a reset is asked for, for which ticket, and when it may be carried out."""

from __future__ import annotations

from datetime import datetime

from django import forms
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.resets.forms import moments

WHEN = ("not_before", "expires_at")


class Worded(forms.Form):
    """The words beside a change."""

    reason = forms.CharField(
        label=lazy("Reason"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": lazy("Say why. Approvers read it before the plan, and the audit keeps it.")},
        help_text=lazy("What went wrong and what reading again will do. Approvers and the audit see it."),
    )
    ticket = forms.CharField(label=lazy("Ticket"), max_length=120, required=False)


class WordsForm(Worded):
    """The words beside a change of an open request; its times stay. Cleans to the further arguments of `actions.revise`."""

    seen = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class ReasonForm(Worded):
    """What stands beside a change: approvers read it first. Cleans to the further arguments of `actions.request`."""

    not_before = forms.CharField(
        label=lazy("Run not before"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "2026-12-01 22:00"}),
    )
    expires_at = forms.CharField(
        label=lazy("Valid until"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "2026-12-02 06:00"}),
    )

    @property
    def moments(self) -> dict[str, moments.Moment]:
        """What the two moments are read as, in the person's own zone."""
        sent = self.data if self.is_bound else self.initial
        return {name: moments.read_field(sent, name) for name in WHEN}

    def clean_not_before(self) -> datetime | None:
        """The moment, or None where nothing was typed."""
        return self._moment("not_before")

    def clean_expires_at(self) -> datetime | None:
        """The moment, or None where nothing was typed."""
        return self._moment("expires_at")

    def _moment(self, name: str) -> datetime | None:
        moment = self.moments[name]
        if moment.error:
            raise forms.ValidationError(moment.error)
        return moment.at
