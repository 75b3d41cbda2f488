"""App configuration."""

from django.apps import AppConfig


class ResetsConfig(AppConfig):
    """The resets app."""

    name = "kafkaconsole.resets"
    label = "resets"

    def ready(self) -> None:
        """Listen to the apps that may not import this one."""
        from kafkaconsole.resets import listening  # models are ready only now

        listening.connect()
