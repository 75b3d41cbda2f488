"""App configuration."""

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    """The teams app."""

    name = "kafkaconsole.teams"
    label = "teams"

    def ready(self) -> None:
        """Listen to sign-ins by the provider."""
        from kafkaconsole.teams import provider_roles  # models are ready only now

        provider_roles.connect()
