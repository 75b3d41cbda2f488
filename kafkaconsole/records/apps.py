"""App configuration."""

from django.apps import AppConfig


class RecordsConfig(AppConfig):
    """The records app."""

    name = "kafkaconsole.records"
    label = "records"
