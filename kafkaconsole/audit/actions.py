"""Appending to the record, and checking it."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db import models, transaction
from django.db.models import Max
from django.utils import timezone

from kafkaconsole.accounts.models import User
from kafkaconsole.audit.chain import mac_of
from kafkaconsole.audit.models import AuditEvent, AuditHead
from kafkaconsole.problems import plain

CONSOLE = "Kafka Console"
"""The name of the actor when no person acts."""
PAGE = 1000


def record(
    verb: str, *, actor: User | None, target: models.Model, facts: Mapping[str, object] | None = None
) -> AuditEvent:
    """Append one event, in the caller's transaction: the change and its record commit together or not at all.

    `facts` hold no secret. Writers queue at the head row until they commit, so numbers have no holes.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an audit event is recorded in the transaction of the change that it records")
    head, _ = AuditHead.objects.select_for_update().get_or_create(pk=1)
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
        previous_mac=head.mac,
    )
    event.mac = mac_of(event)
    event.save(force_insert=True)
    head.number, head.mac = event.number, event.mac
    head.save(update_fields=["number", "mac"])
    return event


class Broken(StrEnum):
    """How a record is broken at a number."""

    CHANGED = "changed"
    MISSING = "missing"
    REORDERED = "reordered"
    CUT_OFF = "cut_off"
    UNACCOUNTED = "unaccounted"


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a walk over the chain: events checked and, where it is broken, the first bad number and why."""

    checked: int
    number: int | None = None
    why: Broken | None = None

    @property
    def whole(self) -> bool:
        """Every event is there, unchanged, in its order."""
        return self.why is None


def verify() -> Verification:
    """Walk the chain from the first event to the head, in pages; events appended meanwhile are left for the next time.

    What it cannot see: the last events gone together with a head set back to match. Keep the number and mac that it
    reports somewhere else to see that too.
    """
    last = AuditEvent.objects.aggregate(last=Max("number"))["last"] or 0
    head = AuditHead.objects.filter(pk=1).first() or AuditHead()
    checked, previous = 0, ""
    for event in _events_until(head.number):
        why = _broken(event, checked + 1, previous)
        if why is not None:
            return Verification(checked, checked + 1, why)
        checked, previous = checked + 1, event.mac
    if checked < head.number or not hmac.compare_digest(previous, head.mac):
        return Verification(checked, checked + 1, Broken.CUT_OFF)
    if last > head.number:
        return Verification(checked, head.number + 1, Broken.UNACCOUNTED)
    return Verification(checked)


def _broken(event: AuditEvent, expected: int, previous: str) -> Broken | None:
    if event.number != expected:
        return Broken.MISSING
    if not hmac.compare_digest(event.previous_mac, previous):
        return Broken.REORDERED
    return None if hmac.compare_digest(event.mac, mac_of(event)) else Broken.CHANGED


def _events_until(number: int) -> Iterator[AuditEvent]:
    """Pages by number, so that a long record needs no long transaction and little memory."""
    at = 0
    while True:
        page = list(AuditEvent.objects.filter(number__gt=at, number__lte=number).order_by("number")[:PAGE])
        if not page:
            return
        yield from page
        at = page[-1].number
