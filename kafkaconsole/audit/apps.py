"""App configuration."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The audit app."""

    name = "kafkaconsole.audit"
    label = "audit"
