"""App configuration."""

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    """The teams app."""

    name = "kafkaconsole.teams"
    label = "teams"
