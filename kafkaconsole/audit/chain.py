"""The keyed chain over audit events: what is hashed, and how. No one without AUDIT_KEY can rewrite the record unseen."""

from __future__ import annotations

import hashlib
import hmac
import json

from django.conf import settings

from kafkaconsole.audit.models import AuditEvent


def mac_of(event: AuditEvent) -> str:
    """HMAC-SHA256 over the event's canonical form, which holds the mac of the event before it."""
    return hmac.new(settings.AUDIT_KEY.encode(), canonical(event), hashlib.sha256).hexdigest()


def canonical(event: AuditEvent) -> bytes:
    """One form for every database: sorted keys, the instant in microseconds UTC, facts as `problems.plain` made them."""
    form = {
        "number": event.number,
        "at": event.at.isoformat(timespec="microseconds"),
        "actor": event.actor_id,
        "actor_name": event.actor_name,
        "verb": event.verb,
        "target": [event.target_kind, event.target_id, event.target_label],
        "facts": event.facts,
        "previous": event.previous_mac,
    }
    return json.dumps(form, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode("ascii")
