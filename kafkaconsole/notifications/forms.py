"""What people type about what they want to hear, and about channels."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.accounts.forms import RefusableForm
from kafkaconsole.notifications.models import ChannelKind, Choices, MessageState
from kafkaconsole.notifications.topics import OF_CHANNELS, OPTIONAL, Topic
from kafkaconsole.teams.models import Team

EVERY_TEAM = ""
CHANNEL_LABELS = {
    Topic.SIGN: lazy("Plans that wait for signatures"),
    Topic.TEAM: lazy("What becomes of requests"),
    Topic.REMINDER: lazy("Before a request expires"),
}


class ChoicesForm(RefusableForm):
    """What one person hears of."""

    heard = forms.MultipleChoiceField(
        label=lazy("Mail me"),
        required=False,
        choices=[(topic.value, topic.label) for topic in OPTIONAL],
        widget=forms.CheckboxSelectMultiple,
        help_text=lazy("When the glass is broken, administrators and approvers are always told."),
    )
    digest_hour = forms.TypedChoiceField(
        label=lazy("What waits for me, once a day"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", lazy("never")), *((hour, f"{hour:02}:00") for hour in range(24))],
        help_text=lazy("By the clock of your time zone (Profile)."),
    )
    language = forms.ChoiceField(label=lazy("Language of mails"), choices=settings.LANGUAGES)

    @classmethod
    def start(cls, chosen: Choices) -> dict[str, object]:
        """The form's values for choices as they are."""
        heard = [topic.value for topic in OPTIONAL if topic not in chosen.muted]
        return {"heard": heard, "digest_hour": chosen.digest_hour, "language": chosen.language}


class ChannelForm(RefusableForm):
    """A new channel, or a change of one: an address that is left empty then stays as it is."""

    name = forms.CharField(label=lazy("Name"), max_length=80)
    team = forms.ChoiceField(label=lazy("Whose requests"), required=False)
    kind = forms.ChoiceField(label=lazy("Kind"), choices=ChannelKind.choices)
    url = forms.CharField(
        label=lazy("Address"),
        max_length=2000,
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "mono", "placeholder": "https://"}),
        help_text=lazy("It is kept encrypted and never shown again: whoever knows it may write there."),
    )
    heard = forms.MultipleChoiceField(
        label=lazy("What it is told"),
        required=False,
        choices=[(topic.value, CHANNEL_LABELS[topic]) for topic in OF_CHANNELS],
        widget=forms.CheckboxSelectMultiple,
        help_text=lazy("When the glass is broken, every channel of the team is told."),
        initial=[topic.value for topic in OF_CHANNELS],
    )

    def __init__(
        self, *args: object, teams: Iterable[Team], may_hear_all: bool, is_new: bool, **kwargs: object
    ) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as a Form takes them
        team = self.fields["team"]
        if isinstance(team, forms.ChoiceField):
            every = [(EVERY_TEAM, lazy("every team’s"))] if may_hear_all else []
            team.choices = [*every, *((one.slug, one.name) for one in teams)]
            team.required = not may_hear_all
        if not is_new:
            del self.fields["team"], self.fields["kind"]
            self.fields["url"].required = False
            self.fields["url"].help_text = lazy("Leave it empty to keep the one that is there.")


class DeliveryFilterForm(forms.Form):
    """What the log is narrowed to."""

    state = forms.ChoiceField(label=lazy("State"), required=False, choices=[("", lazy("all")), *MessageState.choices])
    channel = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
