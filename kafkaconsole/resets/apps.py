"""App configuration."""

from django.apps import AppConfig


class ResetsConfig(AppConfig):
    """The resets app."""

    name = "kafkaconsole.resets"
    label = "resets"
