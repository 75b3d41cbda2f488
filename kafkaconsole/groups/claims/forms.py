"""What is typed about claims."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.accounts.forms import RefusableForm
from kafkaconsole.groups.claims.actions import LONGEST_TEXT


class ClaimForm(RefusableForm):
    """For which of the person's teams, and why."""

    team = forms.ChoiceField(label=lazy("For the team"))
    reason = forms.CharField(
        label=lazy("Why it is theirs"),
        max_length=LONGEST_TEXT,
        help_text=lazy("Whoever answers reads this: what the group does, and who runs it."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, data: object = None, *, teams: Sequence[tuple[str, str]]) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # a QueryDict of the form
        team = self.fields["team"]
        if isinstance(team, forms.ChoiceField):
            team.choices = list(teams)


class AnswerForm(RefusableForm):
    """What is said to a claim; whoever rejects says why."""

    comment = forms.CharField(
        label=lazy("Comment"), max_length=LONGEST_TEXT, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )
