"""App configuration."""

from django.apps import AppConfig


class HistoryConfig(AppConfig):
    """The history app."""

    name = "kafkaconsole.history"
    label = "history"
