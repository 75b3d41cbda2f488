"""App configuration."""

from django.apps import AppConfig


class OverviewConfig(AppConfig):
    """The overview app."""

    name = "kafkaconsole.overview"
    label = "overview"
