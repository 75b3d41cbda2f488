"""App configuration."""

from django.apps import AppConfig


class GroupsConfig(AppConfig):
    """The groups app."""

    name = "kafkaconsole.groups"
    label = "groups"

    def ready(self) -> None:
        """Listen to what happens to clusters."""
        from kafkaconsole.groups import listening

        listening.connect()
