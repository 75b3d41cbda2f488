"""App configuration."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The accounts app."""

    name = "kafkaconsole.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Hear of passwords that people change."""
        from kafkaconsole.accounts import listening  # models are ready only now

        listening.connect()
