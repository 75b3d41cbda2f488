"""App configuration."""

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    """The notifications app."""

    name = "kafkaconsole.notifications"
    label = "notifications"

    def ready(self) -> None:
        """Listen to the record."""
        from kafkaconsole.notifications import listening  # models are ready only now

        listening.connect()
