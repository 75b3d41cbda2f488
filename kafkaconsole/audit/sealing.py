"""Retention: old events go to a sealed file, and only then may the database forget them (a trigger holds that)."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

from django.conf import settings
from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from kafkaconsole.audit import actions, exporting, verifying
from kafkaconsole.audit.chain import keyed, signature_of
from kafkaconsole.audit.errors import NothingToSeal, RecordBroken, TooYoungToSeal
from kafkaconsole.audit.models import AuditEvent, AuditHead, AuditSeal


def export(*, before: datetime, out: BinaryIO) -> AuditSeal:
    """Write every event older than `before` to `out` and give the seal that would cover them; nothing is deleted yet.

    The record must hold together. Raises TooYoungToSeal, NothingToSeal, RecordBroken.
    """
    earliest = timezone.now() - settings.AUDIT_KEEP
    if before > earliest:
        raise TooYoungToSeal(before=before, earliest=earliest)
    found = verifying.verify()
    if not found.whole:
        raise RecordBroken(number=found.number, why=str(found.why))
    until = _last_before(before)
    if until <= found.sealed:
        raise NothingToSeal(before=before)
    digest = hashlib.sha256()
    events = AuditEvent.objects.filter(number__gt=found.sealed, number__lte=until).order_by("number")
    for line in exporting.json_lines(events):
        digest.update(line.encode())
        out.write(line.encode())
    seal = AuditSeal(
        number=until,
        mac=AuditEvent.objects.values_list("mac", flat=True).get(number=until),
        file_digest=digest.hexdigest(),
        at=timezone.now(),
    )
    seal.signature = signature_of(seal)
    return seal


@transaction.atomic
def close(seal: AuditSeal) -> None:
    """Keep the seal and forget the events under it. Called once the file is safe on disk."""
    AuditHead.objects.select_for_update().filter(pk=1).first()  # no event comes in between
    seal.save(force_insert=True)
    AuditEvent.objects.filter(number__lte=seal.number).delete()
    facts = {"until": seal.number, "mac": seal.mac, "file_digest": seal.file_digest}
    actions.record("audit.sealed", actor=None, target=seal, facts=facts)


@dataclass(frozen=True, slots=True)
class SealedFile:
    """What a sealed file holds: its events are whole up to `checked`; `seal` is the database's seal over it, if any."""

    checked: int
    broken_line: int | None
    seal: AuditSeal | None

    @property
    def whole(self) -> bool:
        """Every line is as it was recorded, and the console sealed exactly this file."""
        return self.broken_line is None and self.seal is not None


def check(lines: Iterable[bytes]) -> SealedFile:
    """Walk a sealed file's lines: each mac, each link, and the seal over the whole."""
    digest, previous, checked = hashlib.sha256(), None, 0
    for line in lines:
        digest.update(line)
        mac = _mac_if_sound(line, previous)
        if mac is None:
            return SealedFile(checked, checked + 1, None)
        previous, checked = mac, checked + 1
    seal = AuditSeal.objects.filter(file_digest=digest.hexdigest(), mac=previous or "").first()
    is_ours = seal is not None and hmac.compare_digest(seal.signature, signature_of(seal))
    return SealedFile(checked, None, seal if is_ours else None)


def _mac_if_sound(line: bytes, previous: str | None) -> str | None:
    """The event's mac, when the line is an event as it was recorded that follows the one with mac `previous`."""
    try:
        form = json.loads(line)
        mac = str(form.pop("mac"))
        follows = previous is None or hmac.compare_digest(str(form["previous"]), previous)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return mac if follows and hmac.compare_digest(mac, keyed(form)) else None


def _last_before(before: datetime) -> int:
    """The last event of those at the beginning that are all older than `before`; 0 when there is none."""
    first_to_stay = AuditEvent.objects.filter(at__gte=before).aggregate(first=Min("number"))["first"]
    if first_to_stay is not None:
        return int(first_to_stay) - 1
    head = AuditHead.objects.filter(pk=1).first()
    return head.number if head else 0
