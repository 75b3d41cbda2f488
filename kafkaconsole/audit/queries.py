"""Reading the record, always for a person."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q, QuerySet
from django.http import Http404

from kafkaconsole.accounts.models import User
from kafkaconsole.audit.models import AuditEvent, AuditHead


def may_read_audit(user: User) -> bool:
    """Administrators and auditors read the whole record."""
    return user.is_administrator or user.is_auditor


def events_for(
    user: User,
    *,
    actor: str = "",
    verb: str = "",
    target: str = "",
    start: datetime | None = None,
    end: datetime | None = None,
) -> QuerySet[AuditEvent]:
    """Events, newest first, for administrators and auditors; Http404 for others.

    `actor` is a user name or part of the name as recorded, `verb` a verb or its beginning (`reset.`), `target` part of
    a label or `kind:id`; `start` and `end` bound the instant, the end not included.
    """
    if not may_read_audit(user):
        raise Http404("The audit record is read by administrators and auditors.")
    found = AuditEvent.objects.select_related("actor")
    if actor:
        found = found.filter(Q(actor__username=actor) | Q(actor_name__icontains=actor))
    if verb:
        found = found.filter(verb__startswith=verb)
    if target:
        kind, _, key = target.partition(":")
        found = found.filter(Q(target_label__icontains=target) | Q(target_kind=kind, target_id=key))
    if start is not None:
        found = found.filter(at__gte=start)
    if end is not None:
        found = found.filter(at__lt=end)
    return found.order_by("-number")


def timeline_of(target: models.Model) -> QuerySet[AuditEvent]:
    """What happened to one row, oldest first; whoever may see the row may see this."""
    kind = target._meta.model_name or ""
    events = AuditEvent.objects.filter(target_kind=kind, target_id=str(target.pk))
    return events.select_related("actor").order_by("number")


def head() -> AuditHead:
    """The last number and mac: to be kept elsewhere, so that a record cut off together with its head shows."""
    return AuditHead.objects.filter(pk=1).first() or AuditHead()
