"""The form that asks for records: which end, which partitions, how many at most."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.records.actions import Wanted
from kafkaconsole.records.spans import Until
from kafkaconsole.resets.models import Plan, PlanLine

ALL = "all"
MOST_OFFERED = 200
"""A plan with more lines has its partitions typed: nobody looks through a list of ten thousand."""
UNTIL = [
    (Until.COMMITTED.value, lazy("What will be read again, up to the committed offsets")),
    (Until.LOG_END.value, lazy("Everything from there on, up to the log end as planned")),
]


class AskForm(forms.Form):
    """Cleans into a `Wanted`. `place` is a line of the plan as topic-partition, or `all` in so many words."""

    until = forms.ChoiceField(label=lazy("Records"), choices=UNTIL)

    def __init__(self, *args: Any, plan: Plan | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.plan = plan
        self.fields["place"] = self._place_field()
        most = settings.EXPORT_MAX_RECORDS
        self.fields["limit"] = forms.IntegerField(label=lazy("At most"), min_value=1, max_value=most)

    def _place_field(self) -> forms.Field:
        label = lazy("Partitions")
        if self.plan is not None and self.plan.partitions_count > MOST_OFFERED:
            told = lazy("“all”, or one partition such as orders-3.")
            return forms.CharField(label=label, max_length=270, help_text=told)
        lines = list(self.plan.lines.order_by("topic", "partition")) if self.plan is not None else []
        places = [(f"{line.topic}-{line.partition}", f"{line.topic}-{line.partition}") for line in lines]
        return forms.ChoiceField(label=label, choices=[(ALL, lazy("All partitions of the plan")), *places])

    def clean_place(self) -> PlanLine | None:
        """The line that is named; None for all."""
        text = str(self.cleaned_data["place"]).strip()
        if text == ALL:
            return None
        topic, _dash, number = text.rpartition("-")
        is_number = number.isascii() and number.isdecimal() and len(number) < 10
        lines = self.plan.lines.filter(topic=topic, partition=int(number)) if self.plan and is_number else None
        line = lines.first() if lines is not None else None
        if line is None:
            told = _("Found %(found)s; expected “all” or a partition of the plan, such as orders-3.")
            raise forms.ValidationError(told % {"found": text})
        return line

    def wanted(self) -> Wanted:
        """What was asked, once the form is valid."""
        line = self.cleaned_data["place"]
        return Wanted(
            until=Until(self.cleaned_data["until"]),
            limit=self.cleaned_data["limit"],
            topic=line.topic if line else None,
            partition=line.partition if line else None,
        )
