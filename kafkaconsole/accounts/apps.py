"""App configuration."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The accounts app."""

    name = "kafkaconsole.accounts"
    label = "accounts"
