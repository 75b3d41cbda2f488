"""App configuration."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The api app."""

    name = "kafkaconsole.api"
    label = "api"
