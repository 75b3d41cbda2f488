"""The built-in policy: one approval by an approver of the owning team who is not whoever asked."""

from __future__ import annotations

from django.db import transaction

from kafkaconsole.approvals.models import Need, Policy, PolicyVersion
from kafkaconsole.approvals.quorum import Least, Of
from kafkaconsole.approvals.terms import Terms, as_json

NAME = "Everything else"


def after_migrate(using: str, **_: object) -> None:
    """Receiver of `post_migrate`, so that also an emptied database has it."""
    ensure(using)


def ensure(using: str = "default") -> None:
    """Make the built-in policy with its first version where it is not there yet."""
    with transaction.atomic(using=using):
        policy, is_new = Policy.objects.using(using).get_or_create(is_builtin=True, defaults={"name": NAME})
        if not is_new:
            return
        version = PolicyVersion.objects.using(using).create(policy=policy, number=1, terms=as_json(Terms()))
        Need.objects.using(using).create(version=version, count=1, of=Of.OWN_TEAM, least=Least.APPROVER)
        policy.current = version
        policy.save(using=using, update_fields=["current"])
