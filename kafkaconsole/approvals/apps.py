"""App configuration."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ApprovalsConfig(AppConfig):
    """The approvals app."""

    name = "kafkaconsole.approvals"
    label = "approvals"

    def ready(self) -> None:
        """The built-in policy is there after every migration, also of an emptied database."""
        from kafkaconsole.approvals import builtin  # models are ready only now

        post_migrate.connect(builtin.after_migrate, sender=self, dispatch_uid="approvals.builtin")
