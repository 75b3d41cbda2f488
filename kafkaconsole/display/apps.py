"""App configuration."""

from django.apps import AppConfig


class DisplayConfig(AppConfig):
    """The display app."""

    name = "kafkaconsole.display"
    label = "display"
