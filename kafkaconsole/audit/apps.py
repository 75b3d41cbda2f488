"""App configuration."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The audit app."""

    name = "kafkaconsole.audit"
    label = "audit"

    def ready(self) -> None:
        """Listen to the apps that may not import this one."""
        from kafkaconsole.audit import listening  # models are ready only now

        listening.connect()
