"""The form that asks for records: which end, which partitions, how many at most."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings

from kafkaconsole.records.actions import Wanted
from kafkaconsole.records.spans import Until
from kafkaconsole.resets.models import PlanLine

ALL = "all"
UNTIL = [
    (Until.COMMITTED.value, "What will be read again, up to the committed offsets"),
    (Until.LOG_END.value, "Everything from there on, up to the log end as planned"),
]


class AskForm(forms.Form):
    """Cleans into a `Wanted`. `place` names one line of the plan, or `all` in so many words."""

    until = forms.ChoiceField(label="Records", choices=UNTIL)

    def __init__(self, *args: Any, plan_lines: list[PlanLine], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lines = {str(line.pk): line for line in plan_lines}
        choices = [(ALL, "All partitions of the plan")]
        choices += [(key, f"{line.topic}, partition {line.partition}") for key, line in self.lines.items()]
        self.fields["place"] = forms.ChoiceField(label="Partitions", choices=choices)
        most = settings.EXPORT_MAX_RECORDS
        self.fields["limit"] = forms.IntegerField(label="At most", min_value=1, max_value=most)

    def wanted(self) -> Wanted:
        """What was asked, once the form is valid."""
        line = self.lines.get(self.cleaned_data["place"])
        return Wanted(
            until=Until(self.cleaned_data["until"]),
            limit=self.cleaned_data["limit"],
            topic=line.topic if line else None,
            partition=line.partition if line else None,
        )
