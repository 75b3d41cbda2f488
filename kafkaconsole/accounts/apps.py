"""App configuration."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The accounts app."""

    name = "kafkaconsole.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Listen to sign-ins."""
        from kafkaconsole.accounts import sessions  # models are ready only now

        sessions.connect()
