"""App configuration."""

from django.apps import AppConfig


class GroupsConfig(AppConfig):
    """The groups app."""

    name = "kafkaconsole.groups"
    label = "groups"
