"""The form of a cluster: how to reach it. What was typed is checked by the same allow-list as the API's."""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from kafkaconsole.clusters.models import Cluster
from kafkaconsole.clusters.queries import environments
from kafkaconsole.clusters.reaching import CONNECTION, SECRETS, connection_of
from kafkaconsole.display.sentences import sentence
from kafkaconsole.errors import ConsoleError
from kafkaconsole.kafka.client_settings import MAX_PEM, MECHANISMS, PROTOCOLS
from kafkaconsole.words import shown

NEW = "new"
PEM = {"class": "mono", "rows": 4, "spellcheck": "false", "placeholder": "-----BEGIN CERTIFICATE-----"}


class SecretText(forms.Textarea):
    """A text area that never gives back what was typed."""

    def format_value(self, value: object) -> str:
        """Empty."""
        return ""


class ClusterForm(forms.Form):
    """Fields as in `clusters.reaching`; a secret that is left empty stays as it is, and none is ever shown again."""

    title = forms.CharField(
        label=lazy("Name"), max_length=120, help_text=lazy("What pages call it, such as Production EU.")
    )
    name = forms.CharField(
        label=lazy("Name in addresses"),
        max_length=60,
        help_text=lazy("Small letters, digits, - and _; the API's name for it. It never changes."),
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )
    environment = forms.ChoiceField(label=lazy("Environment"))
    time_zone = forms.ChoiceField(
        label=lazy("Time zone"),
        required=False,
        help_text=lazy("Of those who run it. It is offered where a moment for one of its groups is typed."),
    )
    new_environment = forms.CharField(label=lazy("Name of the new environment"), max_length=60, required=False)
    is_production = forms.BooleanField(
        label=lazy("The new environment is production: messages are not read there unless switched on"),
        required=False,
        initial=True,
    )
    bootstrap_servers = forms.CharField(
        label=lazy("Bootstrap servers"),
        max_length=1000,
        help_text=lazy("host:port, several with commas between."),
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )
    security_protocol = forms.ChoiceField(label=lazy("Security protocol"), choices=[(one, one) for one in PROTOCOLS])
    sasl_mechanism = forms.ChoiceField(
        label=lazy("SASL mechanism"), required=False, choices=[("", lazy("none")), *((one, one) for one in MECHANISMS)]
    )
    username = forms.CharField(
        label=lazy("User name"), max_length=200, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    password = forms.CharField(
        label=lazy("Password"),
        required=False,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    ca_pem = forms.CharField(
        label=lazy("CA certificate (PEM)"),
        help_text=lazy("Who signed the brokers' certificates, if no public authority did."),
        required=False,
        max_length=MAX_PEM,
        widget=forms.Textarea(attrs=PEM),
    )
    certificate_pem = forms.CharField(
        label=lazy("Client certificate (PEM)"), required=False, max_length=MAX_PEM, widget=forms.Textarea(attrs=PEM)
    )
    key_pem = forms.CharField(
        label=lazy("Key of the client certificate (PEM, without a password)"),
        required=False,
        max_length=MAX_PEM,
        widget=SecretText(attrs=PEM | {"placeholder": "-----BEGIN PRIVATE KEY-----", "autocomplete": "off"}),
    )
    check_hostname = forms.BooleanField(
        label=lazy("Check that the certificate is for the host's name"), required=False, initial=True
    )

    def __init__(self, data: object = None, *, cluster: Cluster | None = None) -> None:
        initial = _initial(cluster) if cluster else None
        super().__init__(data, initial=initial)  # type: ignore[arg-type]  # a QueryDict of the form
        known = [(one.slug, one.name) for one in environments()]
        field = self.fields["environment"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [*known, (NEW, _("a new one …"))]
        zones = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone or zone == "UTC")
        if isinstance(zone_field := self.fields["time_zone"], forms.ChoiceField):
            zone_field.choices = [("", _("none")), *((zone, zone) for zone in zones)]
        if cluster is not None:
            del self.fields["name"]
            for secret in SECRETS:
                kept = _("Left empty, the present one stays.") if cluster.secrets.get(secret) else ""
                self.fields[secret].help_text = kept

    def clean(self) -> dict[str, object]:
        """A new environment needs a name."""
        given = super().clean() or {}
        if given.get("environment") == NEW and not str(given.get("new_environment", "")).strip():
            self.add_error("new_environment", _("Say what the new environment is called."))
        return given

    def connection(self) -> dict[str, object]:
        """How to reach it, without secrets."""
        given = {field: self.cleaned_data[field] for field in CONNECTION}
        if not str(given["security_protocol"]).startswith("SASL"):
            given |= {"sasl_mechanism": "", "username": ""}
        return given

    def secrets(self) -> dict[str, str]:
        """What was typed of the secrets."""
        return {field: self.cleaned_data[field] for field in SECRETS if self.cleaned_data[field]}

    def refuse(self, error: ConsoleError) -> None:
        """Show a refusal at the field that it names."""
        field = str(error.facts.get("field") or error.facts.get("setting") or "")
        self.add_error(field if field in self.fields else None, shown(sentence(error.code, error.facts)))


def _initial(cluster: Cluster) -> Mapping[str, object]:
    return connection_of(cluster) | {
        "title": cluster.title,
        "environment": cluster.environment.slug,
        "time_zone": cluster.time_zone,
    }
