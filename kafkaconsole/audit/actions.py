"""Appending to the record."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import models, transaction
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.audit import origin
from kafkaconsole.audit.chain import mac_of
from kafkaconsole.audit.models import AuditEvent, AuditHead
from kafkaconsole.audit.signals import recorded
from kafkaconsole.problems import plain

CONSOLE = "Kafka Console"
"""The name of the actor when no person acts."""


def record(
    verb: str, *, actor: User | None, target: models.Model, facts: Mapping[str, object] | None = None
) -> AuditEvent:
    """Append one event, in the caller's transaction: the change and its record commit together or not at all.

    `facts` hold no secret. Writers queue at the head row until they commit, so numbers have no holes. Whoever listens to
    `signals.recorded` writes in the same transaction, too.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an audit event is recorded in the transaction of the change that it records")
    head, _ = AuditHead.objects.select_for_update().get_or_create(pk=1)
    here = origin.here()
    event = AuditEvent(
        number=head.number + 1,
        at=timezone.now(),
        actor=actor,
        actor_name=str(actor)[:160] if actor else CONSOLE,
        verb=verb,
        target_kind=target._meta.model_name or "",
        target_id=str(target.pk),
        target_label=str(plain(str(target)))[:400],
        facts=plain(facts or {}),
        address=here.address,
        request_id=here.request_id,
        previous_mac=head.mac,
    )
    event.mac = mac_of(event)
    event.save(force_insert=True)
    head.number, head.mac = event.number, event.mac
    head.save(update_fields=["number", "mac"])
    recorded.send(sender=AuditEvent, event=event, target=target)
    return event
