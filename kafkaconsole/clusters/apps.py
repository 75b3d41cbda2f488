"""App configuration."""

from django.apps import AppConfig


class ClustersConfig(AppConfig):
    """The clusters app."""

    name = "kafkaconsole.clusters"
    label = "clusters"
