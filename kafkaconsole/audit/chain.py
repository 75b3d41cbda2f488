"""The keyed chain over audit events: what is hashed, and how. No one without AUDIT_KEY can rewrite the record unseen."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import datetime

from django.conf import settings

from kafkaconsole.audit.models import AuditEvent, AuditSeal


def mac_of(event: AuditEvent) -> str:
    """HMAC-SHA256 over the event's canonical form, which holds the mac of the event before it."""
    return keyed(form_of(event))


def signature_of(seal: AuditSeal) -> str:
    """HMAC-SHA256 over what a seal says, so that only the console can take events out of the database."""
    return keyed({"seal": seal.number, "mac": seal.mac, "file": seal.file_digest, "at": instant(seal.at)})


def form_of(event: AuditEvent) -> dict[str, object]:
    """One form for every database: the instant in microseconds UTC, facts as `problems.plain` made them.

    `from` stands only in an event that has an origin: events of the first release had none.
    """
    form: dict[str, object] = {
        "number": event.number,
        "at": instant(event.at),
        "actor": event.actor_id,
        "actor_name": event.actor_name,
        "verb": event.verb,
        "target": [event.target_kind, event.target_id, event.target_label],
        "facts": event.facts,
        "previous": event.previous_mac,
    }
    if event.address or event.request_id:
        form["from"] = [event.address, event.request_id]
    return form


def keyed(form: Mapping[str, object]) -> str:
    """HMAC-SHA256 in hexadecimal over the form as JSON with sorted keys, in ASCII."""
    text = json.dumps(form, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hmac.new(settings.AUDIT_KEY.encode(), text.encode("ascii"), hashlib.sha256).hexdigest()


def instant(at: datetime) -> str:
    """An aware datetime as the chain writes it."""
    return at.isoformat(timespec="microseconds")
